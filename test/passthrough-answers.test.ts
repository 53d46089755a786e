import { randomBytes } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { gatewayKey } from "./support/deployment.ts";
import { call, startRaw } from "./support/raw-call.ts";
import { deferred } from "./support/raw-upstream.ts";

describe("the answer of a raw call", () => {
  it.each([
    ["compressed text", { "content-encoding": "gzip", "content-type": "application/json" }, gzipSync('{"a":1}')],
    ["bytes", { "content-type": "application/octet-stream" }, randomBytes(300_000)],
  ])("is %s, byte for byte", async (_, headers, bytes) => {
    const { upstream, url } = await startRaw((_request, response) => {
      response.writeHead(200, headers);
      response.write(bytes.subarray(0, 5));
      response.end(bytes.subarray(5));
    });
    const answered = await call(`${url}/v1/files/1/content`, { headers: { "accept-encoding": "gzip, br, zstd" } });
    expect(upstream.received[0]?.headers["accept-encoding"]).toBe("gzip, br");
    expect(answered.headers).toMatchObject(headers);
    expect(answered.body.equals(bytes)).toBe(true);
  });

  it("keeps its length, its status and its headers, less those of the connection", async () => {
    const { url } = await startRaw((_, response) => {
      response.writeHead(404, {
        "content-length": 4,
        "x-vendor": ["a", "b"],
        "set-cookie": "s=1",
        "x-drop": "1",
        connection: "X-Drop",
      });
      response.end("gone");
    });
    const { status, headers } = await call(`${url}/v1/x`);
    expect(status).toBe(404);
    expect(headers["content-length"]).toBe("4");
    expect(headers["x-vendor"]).toBe("a, b");
    expect(headers["set-cookie"]).toBeUndefined();
    expect(headers["x-drop"]).toBeUndefined();
  });

  it("of HEAD has the length of what GET would have answered", async () => {
    const { url } = await startRaw((_, response) => response.writeHead(200, { "content-length": 1234 }).end());
    expect(await call(`${url}/v1/files/1`, { method: "HEAD" })).toMatchObject({
      headers: { "content-length": "1234" },
    });
  });

  it.each([
    ["announced", { "content-length": 1000 }],
    ["in chunks", {}],
  ])("that the vendor cuts (%s) is cut for the client, and never ends in order", async (_, headers) => {
    const { url } = await startRaw((_request, response) => {
      response.writeHead(200, headers);
      response.write("the beginning of", () => response.destroy());
    });
    await expect(call(`${url}/v1/x`)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("arrives whole at a client that reads more slowly than the vendor sends", async () => {
    const bytes = randomBytes(12 * 1024 * 1024);
    const { url } = await startRaw((_, response) => response.end(bytes));
    const headers = { "x-gateway-provider": "@openai", authorization: gatewayKey };
    const response = await new Promise<IncomingMessage>((resolve) =>
      request(`${url}/v1/x`, { headers }, resolve).end(),
    );
    const pieces: Buffer[] = [];
    for await (const piece of response) {
      pieces.push(piece);
      await new Promise(setImmediate);
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });

  it("reaches the client while the vendor is still sending", async () => {
    const rest = deferred<() => void>();
    const { url } = await startRaw((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
      rest.resolve(() => response.end("data: 2\n\n"));
    });
    const headers = { "x-gateway-provider": "@openai", authorization: gatewayKey };
    const response = await fetch(`${url}/v1/x`, { headers });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader?.read()).toEqual({ done: false, value: "data: 1\n\n" });
    (await rest.promise)();
    expect(await reader?.read()).toEqual({ done: false, value: "data: 2\n\n" });
    expect(await reader?.read()).toMatchObject({ done: true });
  });
});
