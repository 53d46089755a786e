import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { eventually, restOf } from "../support/calm.ts";
import { connectTo, question, rawRequest } from "../support/raw-client.ts";
import { deferred, startRawUpstream } from "../support/raw-upstream.ts";
import { startGateway } from "./deployment.ts";

const text = "x".repeat(16_000);
const frame = `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content: text } }] })}\n\n`;
const ending = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const total = 32 * 1024 * 1024;

/** A vendor that writes as fast as it is read from, up to a great amount, and tells how far it came. */
async function startFountain(contentType: string, piece: string, last: string) {
  const progress = { bytes: 0, paused: 0 };
  const finished = deferred<void>();
  const url = await startRawUpstream((_, response) => {
    response.writeHead(200, { "content-type": contentType, connection: "close" });
    const more = () => {
      while (progress.bytes < total) {
        progress.bytes += piece.length;
        if (response.write(piece)) continue;
        progress.paused++;
        return void response.once("drain", more);
      }
      response.end(last, () => finished.resolve());
    };
    more();
  });
  return { url, progress, finished: finished.promise };
}

/** Waits until a number has not changed for so many turns of the event loop and milliseconds. */
async function settled(read: () => number, milliseconds: number): Promise<number> {
  let value = read();
  let since = performance.now();
  await eventually(() => {
    const now = read();
    if (now !== value) since = performance.now();
    value = now;
    expect(performance.now() - since).toBeGreaterThan(milliseconds);
  }, 10_000);
  return value;
}

const kinds = [
  { kind: "a stream of its own format", path: "/v1/chat/completions", model: "openai/m", end: "data: [DONE]" },
  { kind: "a translated stream", path: "/v1/messages", model: "openai/m", end: "event: message_stop" },
] as const;

describe.each(kinds)("a client that does not read $kind", ({ path, model, end }) => {
  it("stops the vendor, takes no memory, is not blamed on the vendor, and gets all of it later", async () => {
    const fountain = await startFountain("text/event-stream", frame, ending);
    const gateway = await startGateway("{ clocks: { idle: 150 }, keepAliveComments: 20 }", fountain.url);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(rawRequest(question(model, { stream: true }), {}, path));
    await client.until("HTTP/1.1 200");
    client.socket.pause();
    const before = process.memoryUsage().arrayBuffers;
    // Twice as long as the vendor may be silent: the clock must not tick while the client is the one to wait for.
    const written = await settled(() => fountain.progress.bytes, 400);
    expect(written).toBeLessThan(total / 2);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(total / 2);
    expect(gateway.generation.active).toBe(1);
    let length = 0;
    let tail = "";
    client.socket.removeAllListeners("data");
    const over = deferred<void>();
    client.socket.on("data", (bytes) => {
      length += bytes.length;
      tail = (tail + bytes.toString()).slice(-2000);
      if (tail.includes(end)) over.resolve();
    });
    client.socket.resume();
    await over.promise;
    await fountain.finished;
    expect(length).toBeGreaterThan(total * 0.9);
    expect(tail).not.toContain("error");
    client.reset();
    await rest();
  });

  it("and leaves ends the call", async () => {
    const fountain = await startFountain("text/event-stream", frame, ending);
    const gateway = await startGateway("{}", fountain.url);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(rawRequest(question(model, { stream: true }), {}, path));
    await client.until("HTTP/1.1 200");
    client.socket.pause();
    await settled(() => fountain.progress.bytes, 50);
    client.reset();
    await rest();
    expect(fountain.progress.bytes).toBeLessThan(total / 2);
  });
});

describe("a client that does not read a raw answer", () => {
  it("stops the vendor and gets all of it later", async () => {
    const fountain = await startFountain("application/octet-stream", text, "end");
    const gateway = await startGateway("{ clocks: { idle: 150 } }", fountain.url);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send("GET /v1/proxy/x HTTP/1.1\r\nhost: localhost\r\nx-gateway-provider: @openai\r\n\r\n");
    await client.until("HTTP/1.1 200");
    client.socket.pause();
    expect(await settled(() => fountain.progress.bytes, 400)).toBeLessThan(total / 2);
    let length = 0;
    const over = deferred<void>();
    client.socket.removeAllListeners("data");
    client.socket.on("data", (bytes) => {
      length += bytes.length;
      if (bytes.toString().endsWith("0\r\n\r\n")) over.resolve();
    });
    client.socket.resume();
    await over.promise;
    expect(length).toBeGreaterThan(total * 0.9);
    client.reset();
    await rest();
  });
});

describe("a client that does not send on, in the middle of an upload the vendor does not read", () => {
  it("is held back rather than taken into memory", async () => {
    const arrived = deferred<() => void>();
    const url = await startRawUpstream((incoming, response) => {
      incoming.pause();
      arrived.resolve(() => {
        incoming.resume();
        incoming.on("end", () => response.end("heard"));
      });
    });
    const gateway = await startGateway("{}", url);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    const headers = { "content-type": "audio/wav", "content-length": String(total), "x-gateway-provider": "@openai" };
    client.send(rawRequest("", headers, "/v1/proxy/upload"));
    const piece = Buffer.alloc(1024 * 1024, 1);
    let sent = 0;
    const more = () => {
      while (sent < total) {
        sent += piece.length;
        if (!client.socket.write(piece)) return void client.socket.once("drain", more);
      }
    };
    more();
    const read = await arrived.promise;
    expect(await settled(() => sent, 100)).toBeLessThan(total / 2);
    read();
    await client.until("heard");
    client.reset();
    await rest();
  });
});

describe("a client that sends all of an upload before it reads", () => {
  it.each([
    ["has heard enough", (response: ServerResponse) => void response.writeHead(413).end("enough"), "enough"],
    ["is gone", (response: ServerResponse) => void response.socket?.resetAndDestroy(), "upstream_connection_error"],
  ])("is let finish though the vendor %s, and its connection goes on", async (_, answer, said) => {
    const url = await startRawUpstream((incoming, response) => {
      incoming.pause();
      answer(response);
    });
    const gateway = await startGateway("{}", url);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    const headers = { "content-type": "audio/wav", "content-length": String(total), "x-gateway-provider": "@openai" };
    client.send(rawRequest("", headers, "/v1/proxy/upload"));
    await new Promise((resolve) => client.socket.write(Buffer.alloc(total, 1), resolve));
    client.send(rawRequest(question("simulator/simple")));
    expect(await client.until('"chat.completion"')).toContain(said);
    client.reset();
    await rest();
  });
});
