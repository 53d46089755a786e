import { describe, expect, it } from "vitest";
import type { ChatResponse, EncodeContext, Usage } from "../../../core/index.ts";
import { countFormats } from "../count/formats.ts";
import plugin, { openAiChat } from "../index.ts";
import { decodeStream } from "../stream/decode-stream.ts";
import { decodeResponse } from "./decode-response.ts";
import { encodeResponse } from "./encode-response.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";

const context: EncodeContext = {
  provider: "anthropic",
  model: "asked-for",
  strict: true,
  now: 1_767_600_000,
  id: "0f1e2d",
  includeUsage: false,
};

const { decodeError } = openAiChat;

/** The answer of providers.md A.1. */
const anthropic: ChatResponse = {
  id: "msg_1",
  model: "claude-sonnet-4-5",
  choices: [
    {
      index: 0,
      content: [
        { type: "thinking", text: "add", signature: "s1" },
        { type: "text", text: "The sum is " },
        { type: "text", text: "4." },
        { type: "tool-call", id: "tu_1", name: "log", arguments: '{"v":4}' },
      ],
      finishReason: "tool-calls",
      rawFinishReason: "tool_use",
    },
  ],
  usage: { inputTokens: 10, cacheReadTokens: 100, cacheWriteTokens: 0, outputTokens: 20 },
};
const message = {
  role: "assistant",
  content: "The sum is 4.",
  tool_calls: [{ id: "tu_1", type: "function", function: { name: "log", arguments: '{"v":4}' } }],
};

describe("openai-chat answer", () => {
  it("writes what strict clients expect", () => {
    expect(encodeResponse(anthropic, context)).toEqual({
      id: "msg_1",
      object: "chat.completion",
      created: 1_767_600_000,
      model: "claude-sonnet-4-5",
      provider: "anthropic",
      choices: [{ index: 0, logprobs: null, finish_reason: "tool_calls", message }],
      usage: {
        prompt_tokens: 110,
        completion_tokens: 20,
        total_tokens: 130,
        prompt_tokens_details: { cached_tokens: 100 },
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 0,
      },
    });
  });

  it("shows thinking in blocks, and the vendor's finish reason, to clients that are not strict", () => {
    const { choices } = encodeResponse(anthropic, { ...context, strict: false });
    expect(choices).toEqual([
      {
        index: 0,
        logprobs: null,
        finish_reason: "tool_use",
        message: {
          ...message,
          content_blocks: [
            { type: "thinking", thinking: "add", signature: "s1" },
            { type: "text", text: "The sum is " },
            { type: "text", text: "4." },
          ],
        },
      },
    ]);
  });

  const answer = (content: ChatResponse["choices"][number]["content"], strict = false) =>
    encodeResponse({ choices: [{ index: 0, content, finishReason: "other" }] }, { ...context, strict });

  it("fills in what the vendor left out", () => {
    expect(answer([{ type: "text", text: "Hi" }])).toEqual({
      id: "chatcmpl-0f1e2d",
      object: "chat.completion",
      created: 1_767_600_000,
      model: "asked-for",
      provider: "anthropic",
      choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, logprobs: null, finish_reason: "stop" }],
    });
  });

  it("shows images in blocks and in content_parts", () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const source = { kind: "data", data: "AAAA", mediaType: "image/png" } as const;
    expect(answer([{ type: "image", source }]).choices).toMatchObject([
      { message: { content: "", content_blocks: [image], content_parts: [image] } },
    ]);
  });

  it("shows fields of other vendors that clients know by name to those that are not strict", () => {
    const response: ChatResponse = {
      choices: [
        {
          index: 0,
          content: [
            {
              type: "tool-call",
              id: "a",
              name: "f",
              arguments: "{}",
              extra: { format: "gemini", fields: { thought_signature: "sig" } },
            },
          ],
          finishReason: "tool-calls",
          extra: { format: "gemini", fields: { groundingMetadata: { a: 1 }, avgLogprobs: -1 } },
        },
      ],
    };
    const [strict, open] = [true, false].map((strict) => encodeResponse(response, { ...context, strict }).choices);
    expect(open).toMatchObject([
      {
        groundingMetadata: { a: 1 },
        message: { content: null, tool_calls: [{ function: { thought_signature: "sig" } }] },
      },
    ]);
    expect(JSON.stringify(open)).not.toContain("avgLogprobs");
    expect(JSON.stringify(strict)).not.toMatch(/groundingMetadata|thought_signature/);
  });

  it("calls without ids have others in every answer, the same whole and streamed", () => {
    const call = { function: { name: "f", arguments: "{}" } };
    const idIn = (head: object) => {
      const whole = decodeResponse({
        ...head,
        choices: [{ message: { tool_calls: [call] }, finish_reason: "tool_calls" }],
      });
      const frame = { ...head, choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] };
      const decoder = decodeStream();
      const chunks = [...decoder.push({ data: JSON.stringify(frame) }), ...decoder.end()];
      const [part] = whole.choices[0]?.content ?? [];
      const started = chunks.find((chunk) => chunk.type === "tool-call-start");
      expect(part).toMatchObject({ type: "tool-call", id: started?.id });
      return started?.id;
    };
    const heads = [{}, { id: "a" }, { id: "b" }, { id: "", created: 1 }, { created: 2 }];
    expect(new Set(heads.map(idIn)).size).toBe(heads.length);
  });

  it("reads answers of vendors that leave things out", () => {
    const choice = (fields: object, finish_reason: unknown = null) =>
      decodeResponse({ choices: [{ message: { role: "assistant", ...fields }, finish_reason }] }).choices[0];
    expect(choice({ content: "Hi" }, "")).toEqual({
      index: 0,
      content: [{ type: "text", text: "Hi" }],
      finishReason: "stop",
    });
    expect(choice({ tool_calls: [{ function: { name: "f", arguments: { a: 1 } } }] }, "function_call")).toEqual({
      index: 0,
      content: [{ type: "tool-call", id: "call_0_0", name: "f", arguments: '{"a":1}' }],
      finishReason: "tool-calls",
      rawFinishReason: "function_call",
    });
    expect(
      choice(
        {
          content: [
            { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
            { type: "text", text: "Hi" },
          ],
        },
        "eos",
      ),
    ).toEqual({
      index: 0,
      content: [
        { type: "thinking", text: "hm" },
        { type: "text", text: "Hi" },
      ],
      finishReason: "other",
      rawFinishReason: "eos",
    });
  });

  it.each([[null], ["text"], [{}], [{ choices: "none" }], [{ choices: [{ message: { content: 7 } }] }]])(
    "refuses %j as an answer",
    (wire) => {
      expect(() => decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
    },
  );
});

describe("openai-chat usage", () => {
  it.each<[string, object, Usage | undefined]>([
    ["nothing", {}, undefined],
    ["unknown counts", { prompt_tokens: -1, completion_tokens: null }, undefined],
    ["totals", { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }, { inputTokens: 3, outputTokens: 2 }],
    [
      "details",
      {
        prompt_tokens: 100,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 60, audio_tokens: 10 },
        completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 5, accepted_prediction_tokens: 3 },
        cache_creation_input_tokens: 8,
        num_search_queries: 2,
      },
      {
        inputTokens: 22,
        cacheReadTokens: 60,
        cacheWriteTokens: 8,
        inputAudioTokens: 10,
        outputTokens: 25,
        reasoningTokens: 20,
        outputAudioTokens: 5,
        acceptedPredictionTokens: 3,
        searches: 2,
      },
    ],
    [
      "what was cached beside the prompt",
      { prompt_tokens: 5, completion_tokens: 1, total_tokens: 15, prompt_tokens_details: { cached_tokens: 9 } },
      { inputTokens: 5, cacheReadTokens: 9, outputTokens: 1 },
    ],
    [
      "parts that exceed the whole and the total",
      { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6, prompt_tokens_details: { cached_tokens: 9 } },
      { inputTokens: 0, cacheReadTokens: 5, outputTokens: 1 },
    ],
    [
      "reasoning counted beside the completion",
      {
        prompt_tokens: 10,
        completion_tokens: 4,
        total_tokens: 34,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      { inputTokens: 10, outputTokens: 4, reasoningTokens: 20 },
    ],
    [
      "images that were drawn",
      { prompt_tokens: 10, completion_tokens: 1300, completion_tokens_details: { image_tokens: 1290 } },
      { inputTokens: 10, outputTokens: 1300, outputImageTokens: 1290 },
    ],
    ["no images", { completion_tokens: 3, completion_tokens_details: { image_tokens: 0 } }, { outputTokens: 3 }],
    ["Mistral's seconds", { prompt_tokens: 9, prompt_audio_seconds: 4 }, { inputTokens: 9, audioSeconds: 4 }],
    ["no seconds", { prompt_tokens: 9, prompt_audio_seconds: 0 }, { inputTokens: 9 }],
    ["DeepSeek's cache hits", { prompt_tokens: 9, prompt_cache_hit_tokens: 4 }, { inputTokens: 5, cacheReadTokens: 4 }],
  ])("reads %s", (_, wire, usage) => {
    expect(decodeUsage(wire)).toEqual(usage);
  });

  it("writes no total it does not know, and no cache fields when they are zero", () => {
    expect(encodeUsage({ inputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0 })).toEqual({
      prompt_tokens: 3,
      prompt_tokens_details: { cached_tokens: 0 },
    });
  });

  it("is read from a whole body", () => {
    expect(openAiChat.readUsage({ usage: { prompt_tokens: 1 } })).toEqual({ inputTokens: 1 });
    expect(openAiChat.readUsage("text")).toBeUndefined();
  });
});

describe("openai-chat errors", () => {
  it.each<[unknown, unknown]>([
    [
      { error: { message: "no", type: "invalid_request_error", param: "n", code: "bad" } },
      { message: "no", type: "invalid_request_error", param: "n", code: "bad" },
    ],
    [{ error: { message: "no", type: null, param: null, code: 400 } }, { message: "no", code: 400 }],
    [{ error: "no" }, { message: "no" }],
    [{ error: "Forbidden", message: "no key" }, { message: "no key" }],
    [
      { message: "no", type: "t", code: "c" },
      { message: "no", type: "t", code: "c" },
    ],
    [{ detail: "no" }, { message: "no" }],
    [{ detail: [{ loc: ["body", "n"], msg: "too big" }] }, { message: "body.n: too big" }],
    [[{ error: { message: "no", code: 429 } }], { message: "no", code: 429 }],
    [{ error: { reason: "x" } }, { message: '{"reason":"x"}' }],
    ["text", undefined],
    [{}, undefined],
  ])("reads %j", (wire, detail) => {
    expect(decodeError(wire)).toEqual(detail);
  });
});

describe("format-openai-chat", () => {
  it("registers the format and its endpoints", async () => {
    const registered: unknown[] = [];
    const add = (value: unknown) => registered.push(value);
    await plugin.setup({ format: add, endpoint: add, alias: add } as unknown as Parameters<typeof plugin.setup>[0], {
      forceStreamUsage: false,
    });
    expect(registered).toEqual([
      openAiChat,
      ...countFormats,
      { type: "chatComplete", method: "POST", path: "/v1/chat/completions", operation: "chat", format: "openai-chat" },
      "/openai/",
    ]);
  });
});
