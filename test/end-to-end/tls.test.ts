import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { connect } from "node:tls";
import { beforeEach, describe, expect, it } from "vitest";
import { authority, certified, client } from "../support/certificates.ts";
import { folderOfFile } from "../support/folder-of-file.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

const trusted = readFileSync(authority, "utf8");
const folder = folderOfFile();

beforeEach(() => {
  writeFileSync(join(folder, "server.key"), certified.key);
  writeFileSync(join(folder, "server.pem"), certified.cert);
  writeFileSync(join(folder, "client.pem"), client.cert);
});

const config = (tls: object) =>
  JSON.stringify({
    server: { tls },
    plugins: { "auth-open": {}, routing: { default: "simulator" }, "format-openai-chat": {} },
    providers: { simulator: {} },
  });
const started = (tls: object = { key: "server.key", certificate: "server.pem" }) =>
  startTestGateway(config(tls), {}, folder);

function ask({ port }: TestGateway, options: object, body?: object): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(
      {
        host: "127.0.0.1",
        port,
        path: body ? "/v1/chat/completions" : "/v1/health",
        method: body ? "POST" : "GET",
        headers: { "content-type": "application/json" },
        agent: false,
        ...options,
      },
      async (response) => {
        let text = "";
        for await (const piece of response) text += piece;
        resolve({ status: response.statusCode ?? 0, text });
      },
    );
    asking.on("error", reject);
    asking.end(body && JSON.stringify(body));
  });
}

describe("a gateway with a certificate", () => {
  it("serves HTTPS: whole answers and streams", async () => {
    const gateway = await started();
    const asked = { model: "demo", messages: [{ role: "user", content: "Hello" }] };
    const trusting = { ca: trusted };
    expect(await ask(gateway, trusting)).toMatchObject({ status: 200 });
    expect((await ask(gateway, trusting, asked)).text).toContain("Simulated answer");
    expect((await ask(gateway, trusting, { ...asked, stream: true })).text).toMatch(/data: \[DONE\]\n\n$/);
    await expect(ask(gateway, { ca: [] })).rejects.toThrow();
    await expect(fetch(`http://127.0.0.1:${gateway.port}/v1/health`)).rejects.toThrow();
  });

  it("speaks no TLS older than 1.2", async () => {
    const { port } = await started();
    const old = connect({
      host: "127.0.0.1",
      port,
      rejectUnauthorized: false,
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
    });
    await expect(
      new Promise((resolve, reject) => old.on("secureConnect", resolve).on("error", reject)),
    ).rejects.toThrow();
  });

  it("asks clients for theirs, where it knows who signs them", async () => {
    const gateway = await started({ key: "server.key", certificate: "server.pem", clientAuthorities: "client.pem" });
    await expect(ask(gateway, { rejectUnauthorized: false })).rejects.toThrow();
    expect(await ask(gateway, { ...client, rejectUnauthorized: false })).toMatchObject({ status: 200 });
  });

  it("finishes what runs when it stops, and reads renewed files at a reload", async () => {
    const gateway = await started();
    expect(await gateway.reload()).toBe(true);
    expect(await ask(gateway, { ca: trusted })).toMatchObject({ status: 200 });
    writeFileSync(join(folder, "server.pem"), "nothing");
    expect(await gateway.reload()).toBe(false);
    expect(await ask(gateway, { ca: trusted })).toMatchObject({ status: 200 });
    await gateway.shutdown(0, 1_000);
    await expect(ask(gateway, { ca: trusted })).rejects.toThrow();
  });

  it.each<[string, object, RegExp]>([
    [
      "a key without a certificate",
      { key: "server.key" },
      /server\.tls: needs key and certificate; certificate is missing/,
    ],
    [
      "a file that is not there",
      { key: "none.key", certificate: "server.pem" },
      /tls\.key: .*cannot be read \(ENOENT\)/,
    ],
    [
      "a key that is none",
      { key: "server.pem", certificate: "server.pem" },
      /server\.tls: the key and the certificate/,
    ],
    ["authorities alone", { clientAuthorities: "client.pem" }, /needs key and certificate/],
  ])("does not start with %s", async (_, tls, message) => {
    await expect(started(tls)).rejects.toThrow(message);
  });
});
