import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect, type SecureVersion } from "node:tls";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/calm.ts";
import { certified } from "../support/certificates.ts";
import { folderOfFile } from "../support/folder-of-file.ts";
import { startTestGateway } from "../support/gateway.ts";
import { question, rawRequest } from "../support/raw-client.ts";
import { deferred, startRawUpstream } from "../support/raw-upstream.ts";

const folder = folderOfFile();

/** A client over TLS that has asked, and a vendor that has not answered it. */
async function asked(version: SecureVersion) {
  writeFileSync(join(folder, "server.key"), certified.key);
  writeFileSync(join(folder, "server.pem"), certified.cert);
  const called = deferred<ServerResponse>();
  const vendor = await startRawUpstream((_, response) => called.resolve(response));
  const config = {
    server: { tls: { key: "server.key", certificate: "server.pem" } },
    plugins: { "auth-open": {}, routing: { default: "openai" }, "format-openai-chat": {} },
    providers: { openai: { apiKey: "none", baseUrl: `${vendor}/v1` } },
  };
  const gateway = await startTestGateway(JSON.stringify(config), {}, folder);
  const one = { port: gateway.port, host: "127.0.0.1", rejectUnauthorized: false };
  const client = connect({ ...one, minVersion: version, maxVersion: version });
  client.allowHalfOpen = true;
  await once(client, "secureConnect");
  client.write(rawRequest(question("openai/m")));
  return {
    client,
    answer: await called.promise,
    rest: () => eventually(() => expect(gateway.generation.active).toBe(0)),
  };
}

describe.each(["TLSv1.2", "TLSv1.3"] as const)("a client over %s", (version) => {
  it("that has said all it has to say, and only listens, gets its answer", async () => {
    const { client, answer, rest } = await asked(version);
    client.end();
    const received = text(client);
    await once(client, "readable");
    answer.writeHead(200, { "content-type": "application/json" }).end('{"choices":[]}');
    expect(await received).toMatch(/^HTTP\/1\.1 100 Continue\r\n.*HTTP\/1\.1 200 OK.*\{"choices":\[\]\}/s);
    await rest();
  });

  it("that leaves ends the call", async () => {
    const { client, answer, rest } = await asked(version);
    const gone = once(answer, "close");
    client.destroy();
    await gone;
    await rest();
  });
});
