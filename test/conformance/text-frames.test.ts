import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Format, StreamChunk, WireEvent } from "../../core/index.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/format.ts";
import { openAiChat } from "../../plugins/format-openai-chat/format.ts";

/** Texts of which some stand in frames as they are, and some do not. */
const text = fc.oneof(fc.constantFrom("a", " b", "", 'say "', "\n", "\\", "東京", "content", "text"), fc.string());

const chatFrame = fc.record({
  index: fc.constantFrom(0, 0, 0, 1),
  delta: fc.oneof(
    { weight: 8, arbitrary: fc.record({ content: text }) },
    fc.record({ content: text, role: fc.constant("assistant") }),
    fc.record({ reasoning_content: text }),
    fc.record({ content: text, content_blocks: fc.tuple(fc.record({ index: fc.nat(1), delta: fc.record({ text }) })) }),
    fc.record({ refusal: text }),
    fc.constant({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{}" } }] }),
  ),
  finish_reason: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constant("stop")),
});

const chatFrames = fc
  .array(chatFrame, { minLength: 2, maxLength: 25 })
  .map((choices) => choices.map((choice): object => ({ id: "r", model: "m", choices: [choice] })));

const block =
  (type: string) =>
  (index: number): object => ({ type: "content_block_start", index, content_block: { type } });

const messageFrame: fc.Arbitrary<object> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.nat(1), text)
      .map(([index, said]) => ({ type: "content_block_delta", index, delta: { type: "text_delta", text: said } })),
  },
  fc.tuple(fc.nat(1), text).map(([index, said]) => ({
    type: "content_block_delta",
    index,
    delta: { type: "thinking_delta", thinking: said },
  })),
  fc.nat(1).map(block("text")),
  fc.nat(1).map(block("thinking")),
  fc.nat(1).map((index) => ({ type: "content_block_stop", index })),
  fc.constant({ type: "ping" }),
);

const messageFrames = fc
  .array(messageFrame, { minLength: 2, maxLength: 25 })
  .map((frames): object[] => [
    { type: "message_start", message: { id: "r", model: "m" } },
    block("text")(0),
    block("text")(1),
    ...frames,
  ]);

/** What a stream decodes to, with the refusals of its frames. */
function decoded(format: Format, events: readonly WireEvent[]): unknown[] {
  const decoder = format.decodeStream?.();
  return events.map((event): readonly StreamChunk[] | string => {
    try {
      return [...(decoder?.push(event) ?? [])];
    } catch (error) {
      return String(error);
    }
  });
}

const written = (frame: object): WireEvent => ({ data: JSON.stringify(frame) });
/** The same frame as no other one is written. */
const padded = (frame: object, at: number): WireEvent => ({
  data: `{${" ".repeat(at + 1)}${JSON.stringify(frame).slice(1)}`,
});

describe("frames that are not parsed since they are like the one before", () => {
  it.each<[string, Format, fc.Arbitrary<object[]>]>([
    ["openai-chat", openAiChat, chatFrames],
    ["anthropic-messages", anthropicMessages, messageFrames],
  ])("say what they say when they are: %s", (_, format, streams) => {
    fc.assert(
      fc.property(streams, (frames) => {
        expect(decoded(format, frames.map(written))).toEqual(decoded(format, frames.map(padded)));
      }),
      { numRuns: 300 },
    );
  });
});
