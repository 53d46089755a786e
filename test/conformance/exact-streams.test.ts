import { expect, it } from "vitest";
import { eventFrame, type Format, type StreamChunk, type WireEvent } from "../../core/index.ts";
import { withExactNumbers } from "../../core/pipeline/stream/exact-numbers.ts";
import { translation } from "../../core/pipeline/stream/stream-work.ts";
import { chatFormats } from "./pairs.ts";
import { vendorContext } from "./vendor-context.ts";

/** Streams that somebody reads on their way (a guardrail) are written anew for clients of the vendor's own format. */

/** No double holds it: it would be 1234567890123456800. */
const number = "1234567890123456789";
const own = `{"id":${number}}`;

const json = (data: string, event?: string): WireEvent => ({ data, ...(event !== undefined && { event }) });
const typed = (...all: string[]): WireEvent[] => all.map((data) => json(data, JSON.parse(data).type));
const framed = (all: Readonly<Record<string, string>>): WireEvent[] =>
  Object.entries(all).map(([event, data]) => json(data, event));

/** A stream of each format with fields of the vendor's own, and how many there are. */
const streams: Readonly<Record<string, readonly [events: readonly WireEvent[], told: number]>> = {
  "openai-chat": [
    [
      json(`{"id":"c","model":"m","created":1,"more":${own},"choices":[{"index":0,"delta":{"content":"Hi"}}]}`),
      json(`{"id":"c","choices":[{"index":0,"delta":{"reasoning_content":"Hm","of":${own}}}]}`),
      json(`{"id":"c","choices":[{"index":0,"delta":{"seen":${own}},"finish_reason":"stop","of":${own}}]}`),
      json("[DONE]"),
    ],
    4,
  ],
  "openai-responses": [
    typed(
      `{"type":"response.created","response":{"id":"r","model":"m","status":"in_progress","output":[]}}`,
      `{"type":"response.output_item.added","output_index":0,"item":{"type":"web_search_call","id":"w","status":"completed","action":${own}}}`,
      `{"type":"response.output_item.done","output_index":0,"item":{"type":"web_search_call","id":"w","status":"completed","action":${own}}}`,
      `{"type":"response.completed","response":{"id":"r","model":"m","status":"completed","output":[{"type":"web_search_call","id":"w","status":"completed","action":${own}}]}}`,
    ),
    3,
  ],
  "anthropic-messages": [
    typed(
      `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"more":${own},"usage":{"input_tokens":1,"output_tokens":1}}}`,
      `{"type":"content_block_start","index":0,"content_block":{"type":"mcp_tool_result","tool_use_id":"t","is_error":false,"content":[${own}]}}`,
      `{"type":"content_block_stop","index":0}`,
      `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
      `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hi"}}`,
      `{"type":"content_block_delta","index":1,"delta":{"type":"citations_delta","citation":{"type":"char_location","cited_text":"Hi","document_index":0,"document_title":null,"start_char_index":0,"end_char_index":2,"of":${own}}}}`,
      `{"type":"content_block_stop","index":1}`,
      `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}`,
      `{"type":"message_stop"}`,
    ),
    3,
  ],
  "bedrock-converse": [
    framed({
      messageStart: '{"role":"assistant"}',
      contentBlockDelta: '{"contentBlockIndex":0,"delta":{"text":"Hi"}}',
      contentBlockStop: '{"contentBlockIndex":0}',
      messageStop: `{"stopReason":"end_turn","additionalModelResponseFields":${own}}`,
      metadata: `{"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2},"metrics":{"latencyMs":1},"trace":${own}}`,
    }),
    2,
  ],
  "cohere-chat": [
    typed(
      '{"type":"message-start","id":"c","delta":{"message":{"role":"assistant"}}}',
      '{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}',
      '{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"Hi"}}}}',
      '{"type":"content-end","index":0}',
      `{"type":"citation-start","index":0,"delta":{"message":{"citations":{"start":0,"end":2,"text":"Hi","sources":[{"type":"document","id":"d","document":${own}}]}}}}`,
      '{"type":"citation-end","index":0}',
      '{"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":1,"output_tokens":1}}}}',
    ),
    1,
  ],
  gemini: [
    [
      json(
        `{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Hi"}]}}],"more":${own},"responseId":"r"}`,
      ),
      json(
        `{"candidates":[{"index":0,"content":{"role":"model","parts":[]},"finishReason":"STOP","of":${own}}],"usageMetadata":{"promptTokenCount":1,"totalTokenCount":1}}`,
      ),
    ],
    2,
  ],
};

it.each(chatFormats)("$name: streams that are written anew keep numbers that no double holds", (format) => {
  const [events, told] = streams[format.name] ?? [[], 0];
  const [decoder, encoder] = [format.decodeStream?.(), format.encodeStream?.({ ...vendorContext, strict: false })];
  if (!decoder || !encoder) throw new Error("it has no streams");
  let text = "";
  for (const event of events) for (const chunk of decoder.push(event)) text += encoder.push(chunk);
  for (const chunk of decoder.end()) text += encoder.push(chunk);
  text += encoder.end();
  expect(text).not.toContain("1234567890123456800");
  expect(text.split(own).length - 1).toBeGreaterThanOrEqual(told);
});

const bytesOf = ({ framing }: Pick<Format, "framing">, events: readonly WireEvent[]): Buffer =>
  Buffer.from(
    framing === "aws-event-stream"
      ? events.map(({ event = "", data }) => eventFrame(event, data)).join("")
      : events.map(({ event, data }) => `${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`).join(""),
    "latin1",
  );

/** Chunks as a guardrail may leave them: others, with the same in them. */
const remade = (chunks: readonly StreamChunk[]): readonly StreamChunk[] => chunks.map((chunk) => ({ ...chunk }));

it.each(chatFormats)("$name: so do numbers that are members of a frame itself", (format) => {
  const [events, told] = streams[format.name] ?? [[], 0];
  const bare = events.map((event) => ({ ...event, data: event.data.replaceAll(own, number) }));
  const wire = format as unknown as Format;
  const context = { ...vendorContext, strict: false };
  const parts = { upstream: wire, client: wire, context, maxFrameBytes: 1_000_000, tap: remade };
  const work = withExactNumbers(translation(parts));
  const text = Buffer.from(work.push(bytesOf(format, bare))).toString("latin1") + work.end().out;
  expect(text).not.toContain("1234567890123456800");
  expect(text.split(number).length - 1).toBeGreaterThanOrEqual(told);
});
