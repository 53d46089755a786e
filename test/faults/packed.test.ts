import type { ServerResponse } from "node:http";
import { brotliCompressSync, constants, createGzip, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { call } from "../support/raw-call.ts";
import { type Answering, startUpstream } from "../support/upstream.ts";

const completion = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Tea." }, finish_reason: "stop" }],
};
const frame = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ ...completion, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const frames = [frame({ content: "Tea" }, null), frame({ content: "." }, "stop"), "data: [DONE]\n\n"];

async function start(answer: Answering) {
  const upstream = await startUpstream(answer);
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: {},
        "format-openai-chat": {},
        "format-openai-responses": {},
        "format-openai-completions": {},
        "format-openai-embeddings": {},
        "format-anthropic-messages": {},
        proxy: {},
      },
      providers: { openai: { apiKey: "openai-key-0123", baseUrl: upstream.url } },
    }),
  );
  return async (path: string, more: object = {}) => {
    const body = JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi" }], ...more });
    const answered = await call(
      `${gateway.url}${path}`,
      { method: "POST", headers: { "content-type": "application/json" } },
      body,
    );
    return { ...answered, text: answered.body.toString(), encoding: answered.headers["content-encoding"] };
  };
}

const packed = (
  response: ServerResponse,
  status: number,
  bytes: Buffer,
  encoding = "gzip",
  type = "application/json",
) =>
  void response
    .writeHead(status, { "content-type": type, "content-encoding": encoding, "content-length": bytes.length })
    .end(bytes);

const chat = "/v1/chat/completions";
const messages = "/v1/messages";

/** The gateway says nothing of what it accepts, and then anything may come. */
describe("an answer that came packed", () => {
  it.each([chat, messages])("is read, in one piece, for clients of %s", async (path) => {
    const ask = await start((_, response) => packed(response, 200, gzipSync(JSON.stringify(completion))));
    expect(await ask(path)).toMatchObject({ status: 200, encoding: undefined, text: expect.stringContaining("Tea.") });
  });

  it("is read where it is a refusal", async () => {
    const refusal = JSON.stringify({ error: { message: "slow down", type: "busy" } });
    const ask = await start((_, response) => packed(response, 429, brotliCompressSync(refusal), "br"));
    const { status, text } = await ask(chat);
    expect([status, JSON.parse(text).error]).toEqual([
      429,
      { message: "openai error: slow down", type: "busy", param: null, code: null },
    ]);
  });

  it.each([chat, messages])("is read as a stream, frame by frame, for clients of %s", async (path) => {
    const ask = await start((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      gzip.pipe(response);
      for (const one of frames) gzip.write(one);
      gzip.end();
    });
    const { text, encoding } = await ask(path, { stream: true });
    expect([encoding, path === chat ? text : /message_stop/.test(text)]).toEqual([
      undefined,
      path === chat ? frames.join("") : true,
    ]);
  });

  it("is an error where it is broken", async () => {
    const bytes = gzipSync(JSON.stringify(completion));
    const ask = await start((_, response) => packed(response, 200, bytes.subarray(0, bytes.length - 12)));
    expect(await ask(chat)).toMatchObject({ status: 502, text: expect.stringContaining("is packed, and broken") });
  });

  it("is a stream without its end where it is broken there", async () => {
    const bytes = gzipSync(frames.slice(0, 1).join(""));
    const ask = await start((_, response) =>
      packed(response, 200, bytes.subarray(0, bytes.length - 8), "gzip", "text/event-stream"),
    );
    expect((await ask(chat, { stream: true })).text).not.toContain("[DONE]");
  });

  it("is nothing where it has no bytes, and is no answer then", async () => {
    const ask = await start((_, response) => packed(response, 200, Buffer.alloc(0)));
    expect(await ask(chat)).toMatchObject({ status: 502 });
  });

  it("goes on as it came where the call was raw", async () => {
    const bytes = gzipSync(JSON.stringify(completion));
    const ask = await start((_, response) => packed(response, 200, bytes));
    const { body, encoding } = await ask("/v1/proxy/anything");
    expect([encoding, body]).toEqual(["gzip", bytes]);
  });
});
