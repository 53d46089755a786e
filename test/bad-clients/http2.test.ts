import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { constants } from "node:http2";
import { type AddressInfo, connect as connectPlainly, createServer } from "node:net";
import { connect } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { restOf } from "../support/calm.ts";
import { authority } from "../support/certificates.ts";
import { startTestGateway } from "../support/gateway.ts";
import { answerOf, http2To } from "../support/http2-client.ts";
import { connectTo, question } from "../support/raw-client.ts";
import { deferred, startRawUpstream } from "../support/raw-upstream.ts";
import { root } from "../support/root.ts";
import { startUpstream } from "../support/upstream.ts";
import { startGateway } from "./deployment.ts";

const chat = "/v1/chat/completions";

/** Passes on what clients send byte by byte, each in a packet of its own. */
async function inPieces(port: number): Promise<number> {
  const forwarder = createServer((client) => {
    const gateway = connectPlainly({ port, host: "127.0.0.1", noDelay: true });
    client.on("data", (bytes) => {
      for (const byte of bytes) gateway.write(Buffer.of(byte));
    });
    gateway.pipe(client);
    client.on("close", () => gateway.destroy()).on("error", () => undefined);
    gateway.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => forwarder.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void forwarder.close());
  return (forwarder.address() as AddressInfo).port;
}

describe("a client that speaks HTTP/2 only", () => {
  it("is answered, whole and streamed, many times at once on one connection", async () => {
    const gateway = await startGateway();
    const rest = await restOf(gateway);
    const { ask, session } = await http2To(gateway.url);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => ask(chat, question("simulator/demo", { stream: at % 2 === 1 }))),
    );
    for (const [at, { status, text }] of answers.entries()) {
      expect(status).toBe(200);
      if (at % 2 === 1) expect(text).toMatch(/data: \[DONE\]\n\n$/);
      else expect(JSON.parse(text)).toMatchObject({ choices: [{ finish_reason: "stop" }] });
    }
    expect(await ask("/v1/health")).toMatchObject({ status: 200 });
    expect(await ask("/v1/health", undefined, { ":method": "HEAD" })).toMatchObject({ text: "" });
    expect(await ask("/nowhere")).toMatchObject({ status: 404 });
    session.close();
    await rest();
  });

  it("may send its first bytes in pieces", async () => {
    const gateway = await startGateway();
    const { ask } = await http2To(`http://127.0.0.1:${await inPieces(gateway.port)}`);
    expect(await ask(chat, question("simulator/demo"))).toMatchObject({ status: 200 });
  });

  it("hears that an answer broke off as an error of its stream, and goes on on its connection", async () => {
    const gateway = await startGateway(
      "{}",
      await startRawUpstream((_, response) => {
        response.writeHead(200, { "content-type": "application/octet-stream", "content-length": 100 });
        response.write("half", () => response.destroy());
      }),
    );
    const rest = await restOf(gateway);
    const { ask, session } = await http2To(gateway.url);
    await expect(ask("/v1/proxy/x", undefined, { "x-gateway-provider": "@openai" })).rejects.toThrow(
      /NGHTTP2_INTERNAL_ERROR/,
    );
    const cut = await ask(chat, question("simulator/fault-cut-after-3", { stream: true }));
    expect(cut.text).toContain("upstream_connection_error");
    expect(cut.text).not.toContain("[DONE]");
    expect(await ask(chat, question("simulator/demo"))).toMatchObject({ status: 200 });
    session.close();
    await rest();
  });

  it.each([false, true])("ends the call when it goes, and only that (stream: %s)", async (stream) => {
    const called = deferred<ServerResponse>();
    const gateway = await startGateway("{}", await startRawUpstream((_, response) => called.resolve(response)));
    const rest = await restOf(gateway);
    const { begin, ask, session } = await http2To(gateway.url);
    const leaving = begin(chat).on("error", () => undefined);
    leaving.end(question("openai/m", { stream }));
    const vendor = await called.promise;
    leaving.close(constants.NGHTTP2_CANCEL);
    await once(vendor, "close");
    expect(await ask(chat, question("simulator/demo"))).toMatchObject({ status: 200 });
    session.destroy();
    await rest();
  });

  it("has sent nothing whole when it goes in the middle of it", async () => {
    const begun = deferred<IncomingMessage>();
    const gateway = await startGateway(
      "{}",
      await startRawUpstream((incoming) => {
        begun.resolve(incoming);
        incoming.on("error", () => undefined).resume();
      }),
    );
    const rest = await restOf(gateway);
    const { begin, session } = await http2To(gateway.url);
    const upload = begin("/v1/proxy/upload", {
      "x-gateway-provider": "@openai",
      "content-type": "audio/wav",
    });
    upload.on("error", () => undefined).write("half");
    const incoming = await begun.promise;
    const asked = begin(chat).on("error", () => undefined);
    asked.write(question("openai/m").slice(0, -1));
    // Closed, not destroyed, it would say first that this was all.
    upload.destroy();
    asked.destroy();
    await new Promise((resolve) => incoming.once("close", resolve));
    expect(incoming.complete).toBe(false);
    session.close();
    await rest();
  });

  it("is told that its body is too large while it is still sending it", async () => {
    const gateway = await startGateway("{ limits: { jsonBodyBytes: 1000 } }");
    const rest = await restOf(gateway);
    const { begin, session } = await http2To(gateway.url);
    const stream = begin(chat);
    const answered = answerOf(stream);
    stream.write("x".repeat(2_000));
    expect(await answered).toMatchObject({ status: 413 });
    stream.end();
    await once(stream, "close");
    session.close();
    await rest();
  });

  it("is asked for its body if it waits for that", async () => {
    const gateway = await startGateway();
    const { begin } = await http2To(gateway.url);
    const stream = begin(chat, { expect: "100-continue" });
    const answered = answerOf(stream);
    await once(stream, "continue");
    stream.end(question("simulator/demo"));
    expect(await answered).toMatchObject({ status: 200 });
  });

  it("is cut off when it never stops sending what nobody wants", async () => {
    const gateway = await startGateway("{ limits: { jsonBodyBytes: 1000 }, clocks: { body: 50 } }");
    const { begin } = await http2To(gateway.url);
    const stream = begin(chat);
    const answered = answerOf(stream);
    stream.write("x".repeat(2_000));
    expect(await answered).toMatchObject({ status: 413 });
    await once(stream, "close");
  });

  it("tells vendors no more than one of HTTP/1.1, and who it asked for", async () => {
    const vendor = await startUpstream((_, response) => void response.end("{}"));
    const gateway = await startGateway("{}", vendor.url);
    const { ask } = await http2To(gateway.url);
    await ask("/v1/proxy/x?y=1", "{}", { "x-gateway-provider": "@openai", te: "trailers", "x-own": "1" });
    const [received] = vendor.received;
    expect(received).toMatchObject({ method: "POST", url: "/v1/x?y=1" });
    expect(received?.headers).toMatchObject({ host: new URL(vendor.url).host, "x-own": "1" });
    expect(Object.keys(received?.headers ?? {}).filter((name) => name.startsWith(":") || name === "te")).toEqual([]);
  });

  it("is answered with what a vendor says in ways that HTTP/2 has not", async () => {
    const gateway = await startGateway(
      "{}",
      await startRawUpstream((incoming, response) => {
        const status = Number(incoming.url?.slice(-3));
        response.writeHead(status, [
          ...["content-type", "text/plain", "x-content-type-options", "nosniff", "x-content-type-options", "nosniff"],
          ...["http2-settings", "x", "content-length", "4"],
        ]);
        response.end("body");
      }),
    );
    const { ask } = await http2To(gateway.url);
    const toVendor = { "x-gateway-provider": "@openai" };
    const usual = await ask("/v1/proxy/200", undefined, toVendor);
    expect(usual).toMatchObject({ status: 200, text: "body" });
    expect(usual.headers).toMatchObject({ "x-content-type-options": "nosniff, nosniff" });
    expect(await ask("/v1/proxy/999", undefined, toVendor)).toMatchObject({ status: 502, text: "body" });
    expect(await ask("/v1/proxy/205", undefined, toVendor)).toMatchObject({ status: 205, text: "" });
  });

  it("asks whom its :authority names, whatever else it says of the host", async () => {
    const gateway = await startGateway();
    const { ask } = await http2To(gateway.url);
    const both = { ":authority": "elsewhere.example", host: "localhost" };
    expect(await ask(chat, question("simulator/demo"), both)).toMatchObject({ status: 403 });
    const reversed = { ":authority": "localhost", host: "elsewhere.example" };
    expect(await ask(chat, question("simulator/demo"), reversed)).toMatchObject({ status: 200 });
  });

  it("hears the end of what runs when the gateway stops, and that no more is taken", async () => {
    const called = deferred<ServerResponse>();
    const gateway = await startGateway("{}", await startRawUpstream((_, response) => called.resolve(response)));
    const { begin, session } = await http2To(gateway.url);
    const stream = begin("/v1/proxy/x", { ":method": "GET", "x-gateway-provider": "@openai" });
    stream.end();
    const answered = answerOf(stream);
    const vendor = await called.promise;
    vendor.writeHead(200, { "content-type": "application/octet-stream" }).write("first ");
    await once(stream, "response");
    const stopped = gateway.shutdown(0, 10_000);
    await once(session, "goaway");
    vendor.end("last");
    expect((await answered).text).toBe("first last");
    await stopped;
    await expect(http2To(gateway.url)).rejects.toThrow(/ECONNREFUSED/);
  });
});

it("takes the first bytes of HTTP/2 for malformed behind a request by HTTP/1.1", async () => {
  const gateway = await startGateway();
  const client = await connectTo(gateway.url);
  client.send("GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n");
  await client.until("healthy");
  client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  expect(await client.ended).toContain("HTTP/1.1 400 Bad Request");
});

describe("over TLS", () => {
  const ca = readFileSync(authority, "utf8");
  const start = () =>
    startTestGateway(
      JSON.stringify({
        server: { tls: { key: "server.key", certificate: "server.pem" } },
        plugins: { "auth-open": {}, routing: { default: "simulator" }, "format-openai-chat": {} },
        providers: { simulator: {} },
      }),
      {},
      `${root}test/support/certificates`,
    );

  it("answers who speaks HTTP/2 only in HTTP/2, and who speaks both in HTTP/1.1", async () => {
    const gateway = await start();
    const { ask, session } = await http2To(`https://localhost:${gateway.port}`, { ca });
    expect(await ask(chat, question("simulator/demo"))).toMatchObject({ status: 200 });
    expect((await ask(chat, question("simulator/demo", { stream: true }))).text).toMatch(/data: \[DONE\]\n\n$/);
    session.close();
    const both = connect({ port: gateway.port, host: "localhost", ca, ALPNProtocols: ["h2", "http/1.1"] });
    await once(both, "secureConnect");
    expect(both.alpnProtocol).toBe("http/1.1");
    both.destroy();
  });

  it.each([{ ALPNProtocols: ["http/1.1"] }, {}])(
    "takes HTTP/2 that was not agreed on for malformed (%j)",
    async (agreed) => {
      const gateway = await start();
      const client = connect({ port: gateway.port, host: "localhost", ca, ...agreed });
      client.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      let answer = "";
      for await (const bytes of client) answer += bytes;
      expect(answer).toContain("HTTP/1.1 400 Bad Request");
    },
  );
});
