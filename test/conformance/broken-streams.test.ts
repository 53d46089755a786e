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
