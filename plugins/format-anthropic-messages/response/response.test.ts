import { describe, expect, it } from "vitest";
import type { AssistantPart, ChatResponse, Choice } from "../../../core/index.ts";
import { anthropicMessages } from "../index.ts";
import { context } from "../testing.ts";

const { decodeResponse, encodeResponse, decodeError, encodeError, readUsage } = anthropicMessages;
const answer = (content: readonly AssistantPart[], rest: Partial<Choice> = {}): ChatResponse => ({
  choices: [{ index: 0, content, finishReason: "stop", ...rest }],
});
const encodedContent = (...content: AssistantPart[]) => encodeResponse(answer(content), context).content;

describe("anthropic-messages answers", () => {
  it("have the shape of the API whoever gave them", () => {
    const response: ChatResponse = {
      id: "chatcmpl-1",
      created: 1,
      choices: [
        {
          index: 0,
          content: [
            { type: "text", text: "Checking the weather." },
            { type: "tool-call", id: "call_7a", name: "get_weather", arguments: '{"city":"Oslo"}' },
          ],
          finishReason: "tool-calls",
          rawFinishReason: "tool_calls",
        },
      ],
      usage: { inputTokens: 40, outputTokens: 10, reasoningTokens: 8 },
    };
    expect(encodeResponse(response, context)).toEqual({
      id: "msg_r4nd0m",
      type: "message",
      role: "assistant",
      model: "gpt-4.1",
      content: [
        { type: "text", text: "Checking the weather." },
        { type: "tool_use", id: "call_7a", name: "get_weather", input: { city: "Oslo" } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: {
        input_tokens: 40,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 18,
        output_tokens_details: { thinking_tokens: 8 },
      },
    });
  });

  it("keep fields of the vendor's whatever they are called", () => {
    const own = '"__proto__":{"seen":1},"constructor":"acme"';
    const wire = JSON.parse(`{"id":"msg_1","model":"claude","content":[],${own},"stop_reason":"end_turn"}`);
    const written = encodeResponse(decodeResponse(wire), context);
    expect(Object.getPrototypeOf(written)).toBe(Object.prototype);
    expect(JSON.stringify(written)).toContain(`"model":"claude",${own},"content"`);
  });

  it.each<[Partial<Choice>, string, string | null]>([
    [{ finishReason: "stop" }, "end_turn", null],
    [{ finishReason: "stop", stopSequence: "END" }, "stop_sequence", "END"],
    [{ finishReason: "stop", rawFinishReason: "pause_turn" }, "pause_turn", null],
    [{ finishReason: "stop", rawFinishReason: "compaction" }, "compaction", null],
    [{ finishReason: "stop", rawFinishReason: "STOP" }, "end_turn", null],
    [{ finishReason: "length" }, "max_tokens", null],
    [
      { finishReason: "length", rawFinishReason: "model_context_window_exceeded" },
      "model_context_window_exceeded",
      null,
    ],
    [{ finishReason: "tool-calls" }, "tool_use", null],
    [{ finishReason: "content-filter", rawFinishReason: "end_turn" }, "refusal", null],
    [{ finishReason: "other", rawFinishReason: "tired" }, "end_turn", null],
    [{ finishReason: "stop", content: [{ type: "refusal", text: "No." }] }, "refusal", null],
  ])("end with the right word: %j", (rest, reason, sequence) => {
    const wire = encodeResponse(answer([], rest), context);
    expect([wire.stop_reason, wire.stop_sequence]).toEqual([reason, sequence]);
  });

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["compaction", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["tool_use", "tool-calls"],
    ["refusal", "content-filter"],
    ["tired", "other"],
  ])("are understood to have ended: %s", (reason, finishReason) => {
    const [choice] = decodeResponse({ content: [], stop_reason: reason }).choices;
    expect(choice).toEqual({ index: 0, content: [], finishReason, rawFinishReason: reason });
  });

  it("leave out what cannot be shown, and show arguments that are not JSON for what they are", () => {
    expect(
      encodedContent(
        { type: "image", source: { kind: "url", url: "https://x.example" } },
        { type: "opaque", format: "gemini", value: { type: "code" } },
        { type: "text", text: "" },
        { type: "text", text: "a", citations: [{ type: "url_citation" }] },
        { type: "tool-call", id: "t", name: "f", arguments: '{"a":' },
      ),
    ).toEqual([
      { type: "text", text: "a" },
      { type: "tool_use", id: "t", name: "f", input: { INVALID_JSON: '{"a":' } },
    ]);
  });

  it("keep thinking without a signature readable for clients, and tell it from signed thinking", () => {
    const content = encodedContent({ type: "thinking", text: "hm" });
    expect(content).toEqual([{ type: "thinking", thinking: "hm", signature: expect.stringMatching(/^signed-by:/) }]);
    expect(decodeResponse({ content }).choices[0]?.content).toEqual([{ type: "thinking", text: "hm" }]);
  });

  it.each([[7], [{ type: "error", content: [] }], [{ content: "text" }], [{ content: [{ type: "text" }] }]])(
    "are refused when they are none: %j",
    (body) => {
      expect(() => decodeResponse(body)).toThrowError(expect.objectContaining({ code: "upstream_invalid" }));
    },
  );

  it("count every token once", () => {
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 100,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
      output_tokens: 20,
      output_tokens_details: { thinking_tokens: 5 },
      server_tool_use: { web_search_requests: 2 },
      service_tier: "standard",
    };
    expect(readUsage({ usage })).toEqual({
      inputTokens: 10,
      cacheReadTokens: 100,
      cacheWriteTokens: 300,
      cacheWriteHourTokens: 200,
      outputTokens: 15,
      reasoningTokens: 5,
      searches: 2,
      serviceTier: "standard",
    });
    expect(readUsage({ usage: { service_tier: "standard" } })).toBeUndefined();
    expect(readUsage({ usage: { input_tokens: null } })).toBeUndefined();
    expect(readUsage({})).toBeUndefined();
  });

  const compacted = {
    input_tokens: 23_000,
    output_tokens: 1000,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    iterations: [
      { type: "compaction", input_tokens: 180_000, output_tokens: 3500, cache_read_input_tokens: 10 },
      { type: "message", model: "claude-opus-5", input_tokens: 23_000, output_tokens: 1000 },
    ],
  };

  it("count what summing up the context has used, which the totals leave out, and tell the totals as they were", () => {
    const used = { inputTokens: 203_000, outputTokens: 4500, cacheReadTokens: 10, cacheWriteTokens: 0 };
    expect(readUsage({ usage: compacted })).toEqual(used);
    const answer = { type: "message", role: "assistant", content: [], stop_reason: "end_turn", usage: compacted };
    const decoded = decodeResponse(answer);
    expect(decoded.usage).toEqual(used);
    expect(encodeResponse(decoded, context).usage).toEqual(compacted);
  });

  it("name fast mode as a tier", () => {
    const usage = { input_tokens: 1, output_tokens: 2, service_tier: "standard" };
    expect(readUsage({ usage: { ...usage, speed: "fast" } })?.serviceTier).toBe("fast");
    expect(readUsage({ usage: { ...usage, speed: "standard" } })?.serviceTier).toBe("standard");
    for (const geo of ["us", "global", "not_available", null])
      expect(readUsage({ usage: { ...usage, inference_geo: geo } })?.inferenceGeo).toBe(geo === "us" ? geo : undefined);
  });

  it.each([
    ["redeemed", true],
    ["not_applied", undefined],
  ])("say whether it was billed as less, where the credit of a refusal was %s", (type, repriced) => {
    const usage = { input_tokens: 1, output_tokens: 2, fallback_credit: { status: { type } } };
    expect(readUsage({ usage })?.repriced).toBe(repriced);
  });

  it("add nothing to totals that an event does not have", () => {
    expect(readUsage({ usage: { output_tokens: 5, iterations: compacted.iterations } })).toEqual({ outputTokens: 5 });
  });

  it.each([
    ["an adviser", [{ type: "advisor_message", model: "claude-opus-5", input_tokens: 9, output_tokens: 9 }]],
    ["one that took over", [{ type: "fallback_message", model: "claude-opus-5", input_tokens: 1, output_tokens: 2 }]],
    [
      "two models",
      [
        { type: "message", model: "claude-opus-5" },
        { type: "message", model: "claude-opus-5-5" },
      ],
    ],
  ])("say that not all is of one model: %s", (_, iterations) => {
    const usage = { input_tokens: 1, output_tokens: 2, iterations };
    expect(readUsage({ usage })).toEqual({ inputTokens: 1, outputTokens: 2, otherModels: true });
  });
});

describe("anthropic-messages errors", () => {
  it("are read from the vendor's shape only", () => {
    const error = { type: "rate_limit_error", message: "slow down" };
    expect(decodeError({ type: "error", error, request_id: "req_1" })).toEqual(error);
    expect(decodeError({ error: { message: "no" } })).toEqual({ message: "no" });
    expect(decodeError({ error: "no" })).toBeUndefined();
    expect(decodeError("no")).toBeUndefined();
  });

  it("say at the top that they are one", () => {
    expect(encodeError?.({ error: { message: "m" }, provider: "p" })).toEqual({
      type: "error",
      error: { message: "m" },
      provider: "p",
    });
    expect(encodeError?.({ success: false })).toEqual({ success: false });
  });
});
