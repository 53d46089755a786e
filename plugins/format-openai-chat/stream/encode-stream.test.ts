import { describe, expect, it } from "vitest";
import type { EncodeContext, StreamChunk } from "../../../core/index.ts";
import { decodeStream } from "./decode-stream.ts";
import { encodeStream } from "./encode-stream.ts";

const context: EncodeContext = {
  provider: "anthropic",
  model: "claude",
  strict: true,
  now: 1_767_600_000,
  id: "0f1e2d",
  includeUsage: false,
};

function decode(frames: readonly object[]): StreamChunk[] {
  const decoder = decodeStream();
  const chunks = frames.flatMap((frame) => [...decoder.push({ data: JSON.stringify(frame) })]);
  return [...chunks, ...decoder.end()];
}

/** The stream of providers.md A.1. */
const anthropic: StreamChunk[] = [
  { type: "start", id: "msg_1", model: "claude-sonnet-4-5" },
  { type: "thinking-delta", choice: 0, part: 0, text: "add" },
  { type: "thinking-signature", choice: 0, part: 0, signature: "s1" },
  { type: "text-delta", choice: 0, part: 1, text: "Hi" },
  { type: "tool-call-start", choice: 0, part: 2, id: "tu_1", name: "log" },
  { type: "tool-call-delta", choice: 0, part: 2, arguments: '{"v":' },
  { type: "finish", choice: 0, reason: "tool-calls", rawReason: "tool_use" },
  { type: "usage", usage: { inputTokens: 10, cacheReadTokens: 100, cacheWriteTokens: 0, outputTokens: 20 } },
];
const usage = {
  prompt_tokens: 110,
  completion_tokens: 20,
  total_tokens: 130,
  prompt_tokens_details: { cached_tokens: 100 },
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 0,
};

function encode(chunks: readonly StreamChunk[], more: Partial<EncodeContext> = {}) {
  const encoder = encodeStream({ ...context, ...more });
  const text = chunks.map((chunk) => encoder.push(chunk)).join("") + encoder.end();
  const frames = text.split("\n\n").filter((frame) => frame !== "");
  expect(frames.pop()).toBe("data: [DONE]");
  return frames.map((frame) => JSON.parse(frame.replace(/^data: /, "")));
}

describe("openai-chat stream encoder", () => {
  const role = { index: 0, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null };
  const of = (fields: object) => ({ index: 0, delta: fields, finish_reason: null });
  const started = of({
    tool_calls: [{ index: 0, id: "tu_1", type: "function", function: { name: "log", arguments: "" } }],
  });
  const continued = of({ tool_calls: [{ index: 0, function: { arguments: '{"v":' } }] });

  it("writes thinking into blocks and the vendor's finish reason for clients that are not strict", () => {
    expect(encode(anthropic, { strict: false }).map((frame) => frame.choices[0])).toEqual([
      role,
      of({ content_blocks: [{ index: 0, delta: { thinking: "add" } }] }),
      of({ content_blocks: [{ index: 0, delta: { signature: "s1" } }] }),
      of({ content: "Hi", content_blocks: [{ index: 1, delta: { text: "Hi" } }] }),
      started,
      continued,
      { index: 0, delta: {}, finish_reason: "tool_use" },
    ]);
  });

  it("writes only what the API knows for strict clients, with usage on the last frame", () => {
    const frames = encode(anthropic);
    expect(frames.map((frame) => frame.choices[0])).toEqual([
      role,
      of({ content: "Hi" }),
      started,
      continued,
      { index: 0, delta: {}, finish_reason: "tool_calls" },
    ]);
    expect(frames.map((frame) => frame.usage)).toEqual([undefined, undefined, undefined, undefined, usage]);
    for (const { choices: _, usage: __, ...head } of frames)
      expect(head).toEqual({
        id: "msg_1",
        object: "chat.completion.chunk",
        created: 1_767_600_000,
        model: "claude-sonnet-4-5",
        provider: "anthropic",
      });
  });

  it("writes usage into a frame of its own when it was asked for", () => {
    const frames = encode(anthropic, { includeUsage: true });
    const last = frames.pop();
    expect(last).toMatchObject({ choices: [], usage });
    expect(frames.every((frame) => frame.usage === null)).toBe(true);
  });

  it("sends the finish reason at the end when no usage came", () => {
    const encoder = encodeStream(context);
    for (const chunk of anthropic.slice(0, 6)) encoder.push(chunk);
    expect(encoder.push({ type: "finish", choice: 0, reason: "length" })).toBe("");
    expect(encoder.end()).toMatch(/"finish_reason":"length"\}\]\}\n\ndata: \[DONE\]\n\n$/);
  });

  it("begins every choice with its role, and counts tool calls per choice", () => {
    const frames = encode([
      { type: "start" },
      { type: "text-delta", choice: 1, part: 0, text: "b" },
      { type: "tool-call-start", choice: 1, part: 1, id: "a", name: "f" },
      { type: "tool-call-start", choice: 0, part: 0, id: "b", name: "f" },
      { type: "finish", choice: 0, reason: "tool-calls" },
      { type: "finish", choice: 1, reason: "tool-calls" },
    ]);
    expect(
      frames.map(({ choices: [choice] }) => [
        choice.index,
        choice.delta.role ?? choice.delta.content ?? choice.delta.tool_calls?.[0].index ?? choice.finish_reason,
      ]),
    ).toEqual([
      [0, "assistant"],
      [1, "assistant"],
      [1, "b"],
      [1, 0],
      [0, 0],
      // Arguments of calls that had none.
      [0, 0],
      [1, 0],
      [0, "tool_calls"],
      [1, "tool_calls"],
    ]);
    expect(frames[0]).toMatchObject({ id: "chatcmpl-0f1e2d", model: "claude", created: 1_767_600_000 });
  });

  it("ends with an error and without a terminator when the answer failed, once", () => {
    const encoder = encodeStream(context);
    encoder.push({ type: "start" });
    encoder.push({ type: "finish", choice: 0, reason: "stop" });
    const error = { message: "busy", code: 503 };
    expect(encoder.push({ type: "error", error })).toBe(
      'data: {"error":{"message":"busy","type":null,"param":null,"code":503}}\n\n',
    );
    expect(encoder.fail(error)).toBe("");
    expect(encoder.end()).toBe("");
  });

  it("keeps citations with the text they belong to, whether or not it is repeated in blocks", () => {
    const citations = [{ type: "char_location" }];
    const chunks: StreamChunk[] = [
      { type: "start", id: "c1" },
      { type: "text-delta", choice: 0, part: 0, text: "Hi" },
      { type: "text-delta", choice: 0, part: 0, text: "", citations },
      { type: "text-delta", choice: 0, part: 1, text: "there" },
      { type: "text-delta", choice: 0, part: 1, text: "", citations },
      { type: "finish", choice: 0, reason: "stop" },
    ];
    const frames = encode(chunks, { strict: false });
    expect(decode(frames).slice(1)).toEqual(chunks.slice(1));
    expect(encode(chunks).length).toBe(4);
  });

  it("has all texts among the blocks as soon as there are any, and none twice for who reads it", () => {
    const image = { type: "image", source: { kind: "data", data: "AAAA", mediaType: "image/png" } } as const;
    const chunks: StreamChunk[] = [
      { type: "start", id: "c1" },
      { type: "text-delta", choice: 0, part: 0, text: "Lo" },
      { type: "text-delta", choice: 0, part: 0, text: "ok" },
      { type: "part", choice: 0, part: 1, value: image },
      { type: "text-delta", choice: 0, part: 0, text: "!" },
      { type: "finish", choice: 0, reason: "stop" },
    ];
    const frames = encode(chunks, { strict: false });
    const deltas = frames.slice(1, -1).map(({ choices: [choice] }) => choice.delta);
    expect(deltas).toEqual([
      { content: "Lo" },
      { content: "ok" },
      { content_blocks: [{ index: 0, delta: { text: "Look" } }] },
      {
        content_blocks: [{ index: 1, delta: { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } } }],
      },
      { content: "!", content_blocks: [{ index: 0, delta: { text: "!" } }] },
    ]);
    expect(decode(frames).slice(1)).toEqual(chunks.slice(1));
    expect(encode(chunks.slice(0, 3), { strict: false }).some((frame) => "content_blocks" in frame)).toBe(false);
  });
});
