import { describe, expect, it } from "vitest";
import type { AssistantPart, ChatResponse, Choice, StreamChunk } from "../../core/index.ts";
import { openAiChat } from "../format-openai-chat/index.ts";
import { gemini, geminiList } from "./index.ts";
import { assembled, chunksIn, context } from "./testing.ts";

const {
  decodeResponse,
  encodeResponse,
  decodeError,
  encodeError,
  readUsage,
  readStreamEnd,
  decodeStream,
  encodeStream,
} = gemini;

const frame = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const candidate = (parts: readonly unknown[], more: object = {}) => ({
  candidates: [{ content: { parts, role: "model" }, index: 0, ...more }],
});
const answer = (content: readonly AssistantPart[], rest: Partial<Choice> = {}): ChatResponse => ({
  choices: [{ index: 0, content, finishReason: "stop", ...rest }],
});

describe("gemini answers as the vendor really gives them", () => {
  it.each([
    ["STOP", "stop"],
    ["RECITATION", "stop"],
    ["OTHER", "stop"],
    ["FINISH_REASON_UNSPECIFIED", "stop"],
    ["MALFORMED_FUNCTION_CALL", "stop"],
    ["MAX_TOKENS", "length"],
    ["CONTINUATION", "length"],
    ["ESCALATION", "content-filter"],
    ["PUP_LIMITED_DISABLED", "content-filter"],
    ["MODEL_ARMOR", "content-filter"],
    ["SAFETY", "content-filter"],
    ["PROHIBITED_CONTENT", "content-filter"],
    ["BLOCKLIST", "content-filter"],
    ["SPII", "content-filter"],
    ["LANGUAGE", "content-filter"],
    ["IMAGE_SAFETY", "content-filter"],
    ["IMAGE_PROHIBITED_CONTENT", "content-filter"],
    ["NEWER_THAN_THIS", "other"],
  ] as const)("end with %s, which is %s", (word, reason) => {
    const response = decodeResponse(candidate([{ text: "a" }], { finishReason: word }));
    expect(response.choices[0]).toMatchObject({ finishReason: reason, rawFinishReason: word });
    expect(encodeResponse(response, context).candidates).toMatchObject([{ finishReason: word }]);
    const called = decodeResponse(candidate([{ functionCall: { name: "f" } }], { finishReason: word }));
    expect(called.choices[0]?.finishReason).toBe("tool-calls");
  });

  it("may name a reason in every frame, or none in a whole answer", () => {
    const pieces = ["a", "b"].map((text) => frame(candidate([{ text }], { finishReason: "STOP" })));
    expect(assembled(chunksIn(pieces.join(""))).choices).toMatchObject([
      { content: [{ type: "text", text: "ab" }], finishReason: "stop" },
    ]);
    expect(decodeResponse(candidate([{ text: "a" }])).choices[0]).toMatchObject({ finishReason: "stop" });
  });

  it("are cut short without one", () => {
    const text = frame(candidate([{ text: "a" }]));
    expect(() => chunksIn(text)).toThrow(expect.objectContaining({ code: "upstream_truncated" }));
    expect(() => chunksIn("")).toThrow(expect.objectContaining({ code: "upstream_truncated" }));
    expect(() => decodeResponse([candidate([{ text: "a" }])])).toThrow(
      expect.objectContaining({ code: "upstream_truncated" }),
    );
    expect(readStreamEnd?.([{ data: text.slice(6) }, { data: text.slice(6) }])).toMatchObject({ finished: false });
  });

  it("have ids for calls that are the same every time, and others in other answers", () => {
    const calls = (responseId: string) =>
      decodeResponse({
        ...candidate([{ functionCall: { name: "f" } }, { functionCall: { name: "f" } }]),
        responseId,
      }).choices[0]?.content.map((part) => (part.type === "tool-call" ? part.id : ""));
    expect(calls("aB-3")).toEqual(["gateway-aB3-0-0", "gateway-aB3-0-1"]);
    expect(calls("x")).not.toEqual(calls("aB-3"));
  });

  it("keep a signature that stands alone, and one behind a text", () => {
    const alone = { text: "", thoughtSignature: "U0lH" };
    expect(decodeResponse(candidate([{ functionCall: { name: "f" } }, alone])).choices[0]?.content[1]).toEqual({
      type: "opaque",
      format: "gemini",
      value: alone,
    });
    expect(decodeResponse(candidate([{ text: "a" }, alone, { text: "b" }])).choices[0]?.content).toEqual([
      { type: "text", text: "a", extra: { format: "gemini", fields: { thought_signature: "U0lH" } } },
      { type: "text", text: "b" },
    ]);
  });

  it("may hold nothing at all", () => {
    expect(decodeResponse({ usageMetadata: { promptTokenCount: 3 } })).toMatchObject({ choices: [] });
    expect(decodeResponse({ candidates: [{ finishReason: "SAFETY" }] }).choices).toMatchObject([
      { index: 0, content: [], finishReason: "content-filter" },
    ]);
  });

  it.each([[7], [{}], [{ candidates: "no" }], [{ error: { message: "no" } }], [[{ error: { message: "no" } }]]])(
    "are refused when they are none: %j",
    (body) => {
      expect(() => decodeResponse(body)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
    },
  );

  it("count every token once", () => {
    const usage = {
      promptTokenCount: 100,
      cachedContentTokenCount: 40,
      toolUsePromptTokenCount: 7,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 5,
      totalTokenCount: 142,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 70 },
        { modality: "AUDIO", tokenCount: 30 },
      ],
      cacheTokensDetails: [{ modality: "AUDIO", tokenCount: 10 }],
      candidatesTokensDetails: [{ modality: "AUDIO", tokenCount: 20 }],
    };
    expect(readUsage({ usageMetadata: usage })).toEqual({
      inputTokens: 47,
      cacheReadTokens: 40,
      cacheReadAudioTokens: 10,
      inputAudioTokens: 20,
      outputTokens: 10,
      reasoningTokens: 5,
      outputAudioTokens: 20,
    });
    expect(readUsage({ usageMetadata: {} })).toBeUndefined();
    expect(readUsage({})).toBeUndefined();
    // Of the cached tokens, nobody says of which kinds they were.
    const kinds = ["AUDIO", "IMAGE", "VIDEO"].map((modality) => ({ modality, tokenCount: 30 }));
    const cached = { promptTokenCount: 100, cachedContentTokenCount: 50, promptTokensDetails: kinds };
    expect(readUsage({ usageMetadata: cached })).toEqual({
      inputTokens: 20,
      cacheReadTokens: 50,
      inputAudioTokens: 30,
      inputImageTokens: 20,
      inputVideoTokens: 0,
    });
    const heard = { promptTokenCount: 100, cachedContentTokenCount: 90, promptTokensDetails: kinds.slice(0, 1) };
    expect(readUsage({ usageMetadata: heard })).toEqual({ inputTokens: 0, cacheReadTokens: 90, inputAudioTokens: 10 });
  });

  it.each<[string, object, { reasoningTokens?: number }]>([
    ["a prompt that was blocked", { totalTokenCount: 9 }, {}],
    ["one that was, without a total", {}, {}],
    ["thinking that was cut off", { thoughtsTokenCount: 5, totalTokenCount: 14 }, { reasoningTokens: 5 }],
  ])("know that nothing was said after %s", (_, counts, more) => {
    const said = "thoughtsTokenCount" in counts ? candidate([], { finishReason: "MAX_TOKENS" }) : undefined;
    const wire = {
      ...(said ?? { promptFeedback: { blockReason: "SAFETY" } }),
      usageMetadata: { promptTokenCount: 9, ...counts },
    };
    const usage = { inputTokens: 9, outputTokens: 0, ...more };
    const response = decodeResponse(wire);
    expect(response.usage).toEqual(usage);
    expect(readUsage(wire)).toEqual(usage);
    expect(readStreamEnd?.([{ data: JSON.stringify(wire) }]).usage).toEqual(usage);
    const total = 9 + (more.reasoningTokens ?? 0);
    expect(openAiChat.encodeResponse(response, context).usage).toMatchObject({ total_tokens: total });
  });

  it("leave it open where the count of what was said is missing", () => {
    expect(readUsage({ usageMetadata: { promptTokenCount: 9, totalTokenCount: 12 } })).toEqual({ inputTokens: 9 });
    expect(readUsage({ usageMetadata: { promptTokenCount: 9 } })).toEqual({ inputTokens: 9 });
  });

  it("show chat clients what they have a name for", () => {
    const response = decodeResponse({
      ...candidate(
        [
          { text: "hm", thought: true },
          { text: "Hi" },
          { functionCall: { name: "f", args: { a: 1 } }, thoughtSignature: "S" },
        ],
        { finishReason: "STOP", groundingMetadata: { a: 1 }, finishMessage: "m" },
      ),
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, thoughtsTokenCount: 3, totalTokenCount: 15 },
      modelVersion: "gemini-x",
    });
    const call = { name: "f", arguments: '{"a":1}' };
    expect(openAiChat.encodeResponse(response, { ...context, strict: false })).toMatchObject({
      model: "gemini-x",
      choices: [
        {
          message: {
            content: "Hi",
            content_blocks: [
              { type: "thinking", thinking: "hm" },
              { type: "text", text: "Hi" },
            ],
            tool_calls: [{ type: "function", function: { ...call, thought_signature: "S" } }],
          },
          finish_reason: "STOP",
          groundingMetadata: { a: 1 },
          finish_message: "m",
        },
      ],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 10,
        total_tokens: 15,
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    });
    const [strict] = openAiChat.encodeResponse(response, context).choices as Record<string, unknown>[];
    expect(strict).toMatchObject({ finish_reason: "tool_calls", message: { tool_calls: [{ function: call }] } });
    expect(JSON.stringify(strict)).not.toMatch(/thought_signature|grounding|finish_message/);
  });
});

describe("answers of other vendors for gemini clients", () => {
  it("have the shape of the API whoever gave them", () => {
    const response: ChatResponse = {
      id: "msg_1",
      choices: [
        {
          index: 0,
          content: [
            { type: "thinking", text: "hm", signature: "c2ln" },
            { type: "redacted-thinking", data: "x" },
            { type: "text", text: "Checking." },
            { type: "tool-call", id: "call_1", name: "f", arguments: '{"a":1}' },
            { type: "tool-call", id: "call_2", name: "g", arguments: "" },
            { type: "tool-call", id: "call_3", name: "h", arguments: "{" },
            { type: "opaque", format: "acme", value: {} },
          ],
          finishReason: "tool-calls",
          rawFinishReason: "tool_use",
        },
      ],
      usage: { inputTokens: 3, cacheWriteTokens: 4, outputTokens: 5 },
    };
    expect(encodeResponse(response, context)).toEqual({
      candidates: [
        {
          content: {
            parts: [
              { text: "hm", thought: true, thoughtSignature: "c2ln" },
              { text: "Checking." },
              {
                functionCall: { id: "call_1", name: "f", args: { a: 1 } },
                thoughtSignature: "c2lnbmVkLWJ5Om5vYm9keTo=",
              },
              { functionCall: { id: "call_2", name: "g", args: {} } },
              { functionCall: { id: "call_3", name: "h", args: { INVALID_JSON: "{" } } },
            ],
            role: "model",
          },
          finishReason: "STOP",
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5, totalTokenCount: 12 },
      modelVersion: "gpt-4.1",
      responseId: "msg_1",
    });
  });

  it.each<[Partial<Choice>, string]>([
    [{ finishReason: "length", rawFinishReason: "max_tokens" }, "MAX_TOKENS"],
    [{ finishReason: "content-filter" }, "SAFETY"],
    [{ finishReason: "other", rawFinishReason: "tired" }, "OTHER"],
    [{ content: [{ type: "refusal", text: "No." }] }, "SAFETY"],
  ])("end with the right word: %j", (rest, word) => {
    expect(encodeResponse(answer([], rest), context).candidates).toMatchObject([{ finishReason: word }]);
  });

  it("say a call in one piece, however its arguments come and calls interleave", () => {
    const call = (part: number): StreamChunk[] => [
      { type: "tool-call-start", choice: 0, part, id: `c${part}`, name: "f" },
      { type: "tool-call-delta", choice: 0, part, arguments: '{"a":' },
    ];
    const rest = (part: number): StreamChunk => ({ type: "tool-call-delta", choice: 0, part, arguments: `${part}}` });
    const chunks: StreamChunk[] = [
      { type: "start" },
      ...call(0),
      ...call(1),
      rest(1),
      rest(0),
      { type: "finish", choice: 0, reason: "tool-calls" },
    ];
    const encoder = gemini.encodeStream?.(context);
    const text = chunks.map((chunk) => encoder?.push(chunk)).join("") + encoder?.end();
    expect(assembled(chunksIn(text)).choices[0]?.content).toMatchObject([
      { id: "c0", arguments: '{"a":0}' },
      { id: "c1", arguments: '{"a":1}' },
    ]);
  });

  it("end in an error and in nothing else when they fail", () => {
    const error = { message: "It broke.", type: "upstream_truncated" };
    for (const format of [gemini, geminiList]) {
      const encoder = format.encodeStream?.(context);
      const begun = encoder?.push({ type: "text-delta", choice: 0, part: 0, text: "a" });
      const text = `${begun}${encoder?.fail(error)}${encoder?.end()}`;
      const frames =
        format === gemini
          ? text
              .split("\n\n")
              .slice(0, -1)
              .map((one) => JSON.parse(one.slice(6)))
          : JSON.parse(text);
      expect(frames).toMatchObject([
        { candidates: [{}] },
        { error: { code: 500, message: "It broke.", status: "INTERNAL" } },
      ]);
      expect(text).not.toContain("finishReason");
    }
  });

  it("are left open in the middle where they fail, for clients that do not read errors in them", () => {
    const encoder = gemini.encodeStream?.(context);
    const text = encoder?.fail({ message: "It broke.", type: "upstream_truncated" }) ?? "";
    // As the SDK before `@google/genai` reads a stream: answers from its beginning on, and what is left over is no stream.
    const rest = text.replace(/^(?:data: .*\n\n)+/, "");
    expect(rest.trim()).not.toBe("");
    // To readers of events it is nothing.
    expect(rest).toMatch(/^:[^\n]*\n$/);
    expect(encoder?.end()).toBe("");
  });
});

describe("gemini errors", () => {
  const error = { code: 429, message: "slow down", status: "RESOURCE_EXHAUSTED" };

  it("are read alone, in a list and in a stream", () => {
    const detail = { code: 429, message: "slow down", type: "RESOURCE_EXHAUSTED" };
    expect(decodeError({ error })).toEqual(detail);
    expect(decodeError([{ error }])).toEqual(detail);
    expect(decodeError({ error: "no" })).toBeUndefined();
    expect(decodeError([])).toBeUndefined();
    for (const data of [JSON.stringify({ error }), JSON.stringify([{ error }])]) {
      expect([...(decodeStream?.().push({ data }) ?? [])]).toEqual([{ type: "error", error: detail }]);
      expect(readStreamEnd?.([{ data }])).toMatchObject({ failed: true });
    }
  });

  it("bring what the vendor's clients act on, in bodies and in streams", () => {
    const details = [
      {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier", quotaValue: "50" }],
      },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" },
    ];
    const detail = decodeError({ error: { ...error, details } });
    expect(detail).toEqual({ code: 429, message: "slow down", type: "RESOURCE_EXHAUSTED", details, retryAfter: 7000 });
    expect(encodeError?.({ error: detail })).toMatchObject({ error: { ...error, details } });
    const encoder = encodeStream?.(context);
    expect(encoder?.fail(detail ?? { message: "" })).toContain(JSON.stringify(details));
    expect(decodeError({ error: { ...error, details: [] } })).not.toHaveProperty("details");
  });

  it.each([
    [
      { type: "RESOURCE_EXHAUSTED", code: 429 },
      { code: 429, status: "RESOURCE_EXHAUSTED" },
    ],
    [
      { type: "rate_limit_error", code: null },
      { code: 429, status: "RESOURCE_EXHAUSTED" },
    ],
    [
      { type: "authentication_error", code: "invalid_api_key" },
      { code: 401, status: "UNAUTHENTICATED", details: [expect.objectContaining({ reason: "invalid_api_key" })] },
    ],
    [{ type: "of_another_kind" }, { code: 500, status: "INTERNAL" }],
  ])("are written with a number and a status: %j", (more, written) => {
    expect(encodeError?.({ error: { message: "m", ...more } })).toMatchObject({ error: { message: "m", ...written } });
  });

  it("say how long to wait in whole milliseconds, as durations have no more digits than nine", () => {
    const written = encodeError?.({ error: { message: "m" } }, 429, 10_571.395751953125);
    expect(written).toMatchObject({ error: { details: [{ retryDelay: "10.572s" }] } });
  });

  it("leave other bodies as they are", () => {
    expect(encodeError?.({ success: false })).toEqual({ success: false });
  });

  it.each([
    [401, null, { code: 401, status: "UNAUTHENTICATED" }],
    [400, "ValidationException", { code: 400, status: "INVALID_ARGUMENT" }],
    [402, "payment", { code: 402, status: "FAILED_PRECONDITION" }],
    [502, null, { code: 502, status: "INTERNAL" }],
    [529, "overloaded_error", { code: 503, status: "UNAVAILABLE" }],
    [500, undefined, { code: 500, status: "INTERNAL" }],
  ])("tells clients of an error of others with status %s and type %s what it is", (status, type, written) => {
    expect(encodeError?.({ error: { message: "m", type } }, status)).toMatchObject({ error: written });
  });
});
