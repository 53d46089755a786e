import { expect, it } from "vitest";
import type { StreamChunk } from "../../../core/index.ts";
import { encodeStream } from "./encode-stream.ts";

const context = { provider: "p", model: "m", strict: false, now: 1, id: "i", includeUsage: true };

/** The parts that each chunk lets go, and those at the end. */
function partsOf(...chunks: readonly StreamChunk[]): unknown[][] {
  const encoder = encodeStream(context);
  const parts = (text: string) =>
    [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, json]) => {
      const { candidates = [], error } = JSON.parse(json as string);
      return error
        ? [error.message]
        : candidates.flatMap((one: { content: { parts: unknown[] } }) => one.content.parts);
    });
  return [...chunks.map((chunk) => parts(encoder.push(chunk))), parts(encoder.end())];
}

const thinking = (text: string): StreamChunk => ({ type: "thinking-delta", choice: 0, part: 0, text });
const signature: StreamChunk = { type: "thinking-signature", choice: 0, part: 0, signature: "sig" };
const text: StreamChunk = { type: "text-delta", choice: 0, part: 1, text: "Hi" };
const thought = (said: string, more: object = {}) => ({ text: said, thought: true, ...more });

it("the last piece of a thought has its signature, which clients would not look for beside no text", () => {
  expect(partsOf(thinking("One,"), thinking(" two."), signature, text)).toEqual([
    [],
    [thought("One,")],
    [],
    [thought(" two.", { thoughtSignature: "sig" }), { text: "Hi" }],
    [],
  ]);
});

it("a thought that nobody may read is its signature", () => {
  expect(partsOf(signature, text)[1]).toEqual([thought("", { thoughtSignature: "sig" }), { text: "Hi" }]);
});

it("a thought without a signature is whole when something else begins, at the end, and where it fails", () => {
  expect(partsOf(thinking("One."), text)).toEqual([[], [thought("One."), { text: "Hi" }], []]);
  expect(partsOf(thinking("One."))).toEqual([[], [thought("One.")]]);
  const error: StreamChunk = { type: "error", error: { message: "broke" } };
  expect(partsOf(thinking("One."), error)).toEqual([[], [thought("One."), "broke"], []]);
});
