import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/calm.ts";
import { anthropicClient, openAiClient } from "../support/clients.ts";
import { configFor, gatewayKey, secrets } from "../support/deployment.ts";
import { startTestGateway } from "../support/gateway.ts";
import { deferred, startRawUpstream } from "../support/raw-upstream.ts";
import { startUpstream } from "../support/upstream.ts";

const firstFrames = {
  openai: 'data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"He"}}]}\n\n',
  anthropic:
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",' +
    '"model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n' +
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n' +
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"He"}}\n\n',
} as const;

type Provider = keyof typeof firstFrames;
const pairs = (["openai", "anthropic"] as const).flatMap((client) =>
  (["openai", "anthropic"] as const).map((provider) => ({ client, provider })),
);

/** A vendor that says when it was called, and when its connection is gone. */
async function startWaiting(begin: (response: ServerResponse) => void) {
  const calls = deferred<ServerResponse>();
  const upstream = await startUpstream((_, response) => {
    begin(response);
    calls.resolve(response);
  });
  const gateway = await startTestGateway(configFor(upstream.url), secrets);
  const closed = calls.promise.then((response) => once(response, "close"));
  return { gateway, upstream, closed, called: calls.promise };
}

/** A request whose first piece of text, if it comes, is handed over; rejects when it is aborted. */
async function ask(client: Provider, url: string, model: string, stream: boolean, signal: AbortSignal) {
  const messages = [{ role: "user" as const, content: "Hello?" }];
  if (client === "openai") {
    const { chat } = openAiClient({ url, key: gatewayKey });
    const answer = await chat.completions.create({ model, messages, stream }, { signal });
    if ("controller" in answer) for await (const chunk of answer) if (chunk.choices[0]?.delta.content) return answer;
    return answer;
  }
  const { messages: endpoint } = anthropicClient({ url, key: gatewayKey });
  const answer = await endpoint.create({ model, messages, max_tokens: 9, stream }, { signal });
  if ("controller" in answer) for await (const event of answer) if (event.type === "content_block_delta") return answer;
  return answer;
}

describe.each(pairs)("a $client client that leaves, before a vendor of $provider", ({ client, provider }) => {
  it.each([false, true])("before the first byte ends the call upstream (stream: %s)", async (stream) => {
    const { gateway, called, closed, upstream } = await startWaiting(() => undefined);
    const controller = new AbortController();
    const asked = ask(client, gateway.url, `${provider}/m`, stream, controller.signal).catch((error) => error);
    await called;
    controller.abort();
    expect(await asked).toMatchObject({ message: "Request was aborted." });
    await closed;
    expect(upstream.received).toHaveLength(1);
  });

  it("after the headers but before the first frame ends the call upstream", async () => {
    const { gateway, called, closed } = await startWaiting((response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
    );
    const controller = new AbortController();
    const asked = ask(client, gateway.url, `${provider}/m`, true, controller.signal).catch((error) => error);
    await called;
    controller.abort();
    expect(await asked).toMatchObject({ message: "Request was aborted." });
    await closed;
  });

  it("after the first byte ends the call upstream", async () => {
    const { gateway, closed } = await startWaiting((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(firstFrames[provider]);
    });
    const controller = new AbortController();
    // Leaving the loop over a stream is how these clients stop listening: they abort the request then.
    await ask(client, gateway.url, `${provider}/m`, true, controller.signal);
    await closed;
  });
});

describe("an exchange whose client leaves", () => {
  it.each<[string, boolean, (response: ServerResponse) => void]>([
    [
      "in the middle of a whole answer",
      false,
      (response) => {
        response.writeHead(200, { "content-type": "application/json" }).write('{"id":');
      },
    ],
    [
      "before the first frame of a stream that may go elsewhere",
      true,
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      },
    ],
  ])("%s is over", async (_, stream, begin) => {
    const { gateway, called, closed } = await startWaiting(begin);
    const controller = new AbortController();
    const response = fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      signal: controller.signal,
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${gatewayKey}`,
        "x-gateway-first-token-timeout": "3600000",
      },
      body: JSON.stringify({ model: "openai/m", stream, messages: [{ role: "user", content: "Hello?" }] }),
    }).catch((error) => error);
    await called;
    controller.abort();
    expect(await response).toMatchObject({ name: "AbortError" });
    await closed;
    await eventually(() => expect(gateway.generation.active).toBe(0));
  });
});

describe("a client that leaves a raw call", () => {
  const raw = (url: string, signal: AbortSignal) =>
    fetch(`${url}/v1/proxy/anything`, {
      headers: { "x-gateway-provider": "@openai", authorization: gatewayKey },
      signal,
    });

  it("before the first byte ends the call upstream", async () => {
    const { gateway, called, closed } = await startWaiting(() => undefined);
    const controller = new AbortController();
    const asked = raw(gateway.url, controller.signal).catch((error) => error);
    await called;
    controller.abort();
    expect(await asked).toMatchObject({ name: "AbortError" });
    await closed;
  });

  it("after the first byte ends the call upstream", async () => {
    const { gateway, closed } = await startWaiting((response) => response.writeHead(200).write("something"));
    const controller = new AbortController();
    const response = await raw(gateway.url, controller.signal);
    await response.body?.getReader().read();
    controller.abort();
    await closed;
  });

  it("while it is still sending ends the upload upstream", async () => {
    const uploads = deferred<IncomingMessage>();
    const upstream = await startRawUpstream((incoming) => {
      incoming.once("data", () => uploads.resolve(incoming));
    });
    const gateway = await startTestGateway(configFor(upstream), secrets);
    const headers = { "x-gateway-provider": "@openai", authorization: gatewayKey, "content-type": "audio/wav" };
    const upload = request(`${gateway.url}/v1/proxy/upload`, { method: "POST", headers });
    upload.on("error", () => undefined);
    upload.write(Buffer.alloc(1000, 1));
    const incoming = await uploads.promise;
    const gone = new Promise((resolve) => incoming.once("close", resolve));
    upload.destroy();
    await gone;
    expect(incoming.complete).toBe(false);
  });
});
