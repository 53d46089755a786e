import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { restOf } from "../support/calm.ts";
import { connectTo, question, type RawClient, rawRequest } from "../support/raw-client.ts";
import { deferred, startRawUpstream } from "../support/raw-upstream.ts";
import { startGateway } from "./deployment.ts";

/** The two ways to go: with a reset, and with a close that looks like the end of sending at first. */
const ways = [
  ["resets", (client: RawClient) => client.reset()],
  ["closes", (client: RawClient) => client.socket.destroy()],
] as const;

/** A vendor that says when it was called, and when its connection is gone. */
async function startVendor(begin: (response: ServerResponse) => void) {
  const called = deferred<ServerResponse>();
  const url = await startRawUpstream((_, response) => {
    begin(response);
    called.resolve(response);
  });
  const gone = called.promise.then((response) => once(response, "close"));
  return { url, called: called.promise, gone };
}

const eventStream = { "content-type": "text/event-stream" };
const frames = {
  openai: 'data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"He"}}]}\n\n',
  anthropic:
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",' +
    '"model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n',
} as const;

const pairs = (["/v1/chat/completions", "/v1/messages"] as const).flatMap((path) =>
  (["openai", "anthropic"] as const).flatMap((vendor) => ways.map(([way, leave]) => ({ path, vendor, way, leave }))),
);

describe.each(pairs)("a client of $path before $vendor that $way its connection", ({ path, vendor, leave }) => {
  const ask = (stream: boolean) => rawRequest(question(`${vendor}/m`, { stream }), {}, path);

  it.each([false, true])("before its answer ends the call (stream: %s)", async (stream) => {
    const { url, called, gone } = await startVendor(() => undefined);
    const gateway = await startGateway("{}", url);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(ask(stream));
    await called;
    leave(client);
    await gone;
    await rest();
  });

  it("in the middle of a stream ends the call", async () => {
    const { url, gone } = await startVendor((response) => response.writeHead(200, eventStream).write(frames[vendor]));
    const gateway = await startGateway("{ keepAliveComments: 20 }", url);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(ask(true));
    await client.until(/keep-alive|data:/);
    leave(client);
    await gone;
    await rest();
  });
});

describe.each(ways)("a client that %s its connection", (_, leave) => {
  it.each([
    ["announced", { "content-length": "5000" }, "half"],
    ["in chunks", { "transfer-encoding": "chunked" }, "4\r\nhalf\r\n"],
  ])("in the middle of its body is forgotten, and nobody is called (%s)", async (_, headers, half) => {
    let calls = 0;
    const url = await startRawUpstream(() => calls++);
    const gateway = await startGateway("{}", url);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(rawRequest("", headers) + half);
    await expect.poll(() => gateway.generation.active).toBe(1);
    leave(client);
    await rest();
    expect(calls).toBe(0);
  });

  it("in the middle of an upload ends the upload", async () => {
    const arrived = deferred<IncomingMessage>();
    const url = await startRawUpstream((incoming) => incoming.once("data", () => arrived.resolve(incoming)));
    const gateway = await startGateway("{}", url);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    const headers = { "content-type": "audio/wav", "content-length": "5000", "x-gateway-provider": "@openai" };
    client.send(`${rawRequest("", headers, "/v1/proxy/upload")}half`);
    const incoming = await arrived.promise;
    const gone = new Promise((resolve) => incoming.once("close", resolve));
    leave(client);
    await gone;
    await rest();
  });

  it("in the middle of a raw answer ends the call", async () => {
    const { url, gone } = await startVendor((response) => response.writeHead(200).write("something"));
    const gateway = await startGateway("{}", url);
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send("GET /v1/proxy/x HTTP/1.1\r\nhost: localhost\r\nx-gateway-provider: @openai\r\n\r\n");
    await client.until("something");
    leave(client);
    await gone;
    await rest();
  });

  it("before a slow simulator answers ends its call, timer included", async () => {
    const gateway = await startGateway();
    const rest = await restOf(gateway);
    const client = await connectTo(gateway.url);
    client.send(rawRequest(question("simulator/fault-slow-60000")));
    await expect.poll(() => gateway.generation.active).toBe(1);
    leave(client);
    await rest();
  });
});
