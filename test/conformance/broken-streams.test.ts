import { expect, it } from "vitest";
import type { StreamChunk } from "../../core/index.ts";
import { chatFormats } from "./pairs.ts";
import { vendorContext } from "./vendor-context.ts";

/** A call that never becomes whole, with another part of the answer behind it. */
const behindACall: readonly StreamChunk[] = [
  { type: "start", id: "a" },
  { type: "tool-call-start", choice: 0, part: 0, id: "call_1", name: "weather" },
  { type: "tool-call-delta", choice: 0, part: 0, arguments: '{"city":"O' },
  { type: "text-delta", choice: 0, part: 1, text: "It will rain." },
];

/** What tells that a block is over, in formats that say so. */
const ends = /content_block_stop|contentBlockStop|tool-call-end|output_item\.done/;

it.each(chatFormats)(
  "$name: an answer that breaks off shows all that was said, and no end of a call that has none",
  (format) => {
    const encoder = format.encodeStream?.(vendorContext);
    if (!encoder) throw new Error("it has no streams");
    let told = "";
    for (const chunk of behindACall) told += encoder.push(chunk);
    told += encoder.fail({ message: "It broke." });
    expect(told).toContain("It will rain.");
    expect(told).not.toMatch(ends);
    expect(encoder.end()).toBe("");
  },
);

const citation = { type: "url_citation", url: "https://a.example/1", title: "Rain", start_index: 0, end_index: 5 };

it.each(chatFormats)("$name: an answer that breaks off tells what it was cited from", (format) => {
  const encoder = format.encodeStream?.(vendorContext);
  if (!encoder) throw new Error("it has no streams");
  let told = encoder.push({ type: "start", id: "a" });
  told += encoder.push({ type: "text-delta", choice: 0, part: 0, text: "Rain." });
  told += encoder.push({ type: "text-delta", choice: 0, part: 0, text: "", citations: [citation] });
  told += encoder.fail({ message: "It broke." });
  expect(told).toContain(citation.url);
  expect(told.indexOf("It broke.")).toBeGreaterThan(told.indexOf(citation.url));
});

it("gemini: a call that is whole is told before the error, though one before it is not", () => {
  const encoder = chatFormats.find(({ name }) => name === "gemini")?.encodeStream?.(vendorContext);
  for (const part of [0, 1]) {
    encoder?.push({ type: "tool-call-start", choice: 0, part, id: `call_${part}`, name: `tool_${part}` });
    encoder?.push({ type: "tool-call-delta", choice: 0, part, arguments: part === 0 ? '{"a"' : "{}" });
  }
  const told = encoder?.fail({ message: "It broke." });
  expect(told).toContain("tool_1");
  expect(told).not.toContain("tool_0");
});
