import { describe, expect, it } from "vitest";
import { exceptionEvent, type StreamChunk, type WireEvent } from "../../core/index.ts";
import { openAiCompletions } from "../../plugins/format-openai-completions/index.ts";
import { chatFormats } from "./pairs.ts";
import { vendorContext } from "./vendor-context.ts";

const event = (data: object, name?: string): WireEvent => ({
  data: JSON.stringify(data),
  ...(name && { event: name }),
});

/** Streams that fail, and what they said before or in the frame that says so. */
const failing: Readonly<Record<string, readonly WireEvent[]>> = {
  "anthropic-messages": [
    event({ type: "message_start", message: { id: "m", usage: { input_tokens: 7, output_tokens: 3 } } }),
    event({ type: "error", error: { type: "overloaded_error", message: "no" } }),
  ],
  "bedrock-converse": [
    event({ role: "assistant" }, "messageStart"),
    event({ usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 } }, "metadata"),
    event({ message: "no" }, exceptionEvent),
  ],
  "cohere-chat": [
    event({ type: "message-start", id: "m" }),
    event({
      type: "message-end",
      delta: { error: "no", finish_reason: "ERROR", usage: { tokens: { input_tokens: 7, output_tokens: 3 } } },
    }),
  ],
  gemini: [
    event({ candidates: [{ content: { parts: [{ text: "a" }] } }] }),
    event({
      error: { code: 500, message: "no" },
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
    }),
  ],
  "openai-chat": [
    event({ id: "c", choices: [{ index: 0, delta: { content: "a" } }] }),
    event({
      error: { message: "no" },
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    }),
  ],
  "openai-completions": [
    event({ id: "c", choices: [{ index: 0, text: "a" }] }),
    event({
      error: { message: "no" },
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    }),
  ],
  "openai-responses": [
    event({ type: "response.created", response: { id: "r", usage: null } }),
    event({
      type: "response.failed",
      response: {
        id: "r",
        error: { code: "server_error", message: "no" },
        usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
      },
    }),
  ],
};

const formats = [...chatFormats, openAiCompletions].filter(({ name }) => Object.hasOwn(failing, name));

it("is asked of every format that has streams", () => {
  expect(formats.map(({ name }) => name).sort()).toEqual(Object.keys(failing).sort());
});

describe.each(formats)("a stream of $name that fails", (format) => {
  const events = failing[format.name] ?? [];

  it("tells what it has used before its error", () => {
    const decoder = format.decodeStream?.();
    const chunks: StreamChunk[] = events.flatMap((one) => [...(decoder?.push(one) ?? [])]);
    expect(chunks.at(-1)).toMatchObject({ type: "error" });
    expect(chunks.find(({ type }) => type === "usage")).toMatchObject({ usage: { inputTokens: 7, outputTokens: 3 } });
  });

  it("tells it of a stream that passes through as well", () => {
    expect(format.readStreamEnd?.(events)).toMatchObject({ failed: true, usage: { inputTokens: 7, outputTokens: 3 } });
  });
});

it.each(chatFormats)("$name: clients take a stream that tells what it used, and then fails, for failed", (format) => {
  const encoder = format.encodeStream?.(vendorContext);
  const told = [
    encoder?.push({ type: "start", id: "a" }),
    encoder?.push({ type: "usage", usage: { inputTokens: 7, outputTokens: 3 } }),
    encoder?.push({ type: "error", error: { message: "It broke." } }),
    encoder?.end(),
  ].join("");
  expect(told).toContain("It broke.");
  expect(told).not.toMatch(
    /\[DONE\]|message_stop|messageStop|"?finish_?[rR]eason"?:"(?:stop|STOP)|response\.completed/,
  );
});
