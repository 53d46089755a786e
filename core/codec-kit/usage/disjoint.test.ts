import fc from "fast-check";
import { expect, it } from "vitest";
import type { Usage } from "../../model/usage.ts";
import { tokensIn, tokensOut } from "../../money/usage-sums.ts";
import { disjoint, type InclusiveCounts } from "./disjoint.ts";

it.each<[string, InclusiveCounts, Usage]>([
  ["nothing", {}, {}],
  [
    "parts that are in their wholes",
    { input: 100, output: 50, total: 150, cacheRead: 60, cacheWrite: 8, inputAudio: 10, reasoning: 20, outputAudio: 5 },
    {
      inputTokens: 22,
      cacheReadTokens: 60,
      cacheWriteTokens: 8,
      inputAudioTokens: 10,
      outputTokens: 25,
      reasoningTokens: 20,
      outputAudioTokens: 5,
    },
  ],
  [
    "reasoning beside the output, as xAI counts it",
    { input: 2640, output: 182, total: 3494, cacheRead: 473, reasoning: 672 },
    { inputTokens: 2167, cacheReadTokens: 473, outputTokens: 182, reasoningTokens: 672 },
  ],
  [
    "what was cached beside the input, as xAI counts it of some models",
    { input: 4142, output: 254, total: 8724, cacheRead: 4328 },
    { inputTokens: 4142, cacheReadTokens: 4328, outputTokens: 254 },
  ],
  [
    "the same where it is less than the input: the total tells",
    { input: 500, output: 10, total: 810, cacheRead: 300 },
    { inputTokens: 500, cacheReadTokens: 300, outputTokens: 10 },
  ],
  [
    "both of them beside",
    { input: 500, output: 10, total: 830, cacheRead: 300, reasoning: 20 },
    { inputTokens: 500, cacheReadTokens: 300, outputTokens: 10, reasoningTokens: 20 },
  ],
  [
    "more from a cache than there was input, and no total",
    { input: 5, cacheRead: 9 },
    { inputTokens: 5, cacheReadTokens: 9 },
  ],
  ["the same, with a total of nothing", { input: 5, cacheRead: 9, total: 0 }, { inputTokens: 5, cacheReadTokens: 9 }],
  [
    "more from a cache than the total has room for",
    { input: 100, output: 10, total: 110, cacheRead: 128 },
    { inputTokens: 0, cacheReadTokens: 100, outputTokens: 10 },
  ],
  [
    "more reasoning than the total has room for",
    { input: 10, output: 20, total: 30, reasoning: 25 },
    { inputTokens: 10, outputTokens: 0, reasoningTokens: 20 },
  ],
  ["more reasoning than output, and no total", { output: 4, reasoning: 20 }, { outputTokens: 4, reasoningTokens: 20 }],
  [
    "a total of more than all that",
    { input: 10, output: 5, total: 99, cacheRead: 4, reasoning: 2 },
    { inputTokens: 6, cacheReadTokens: 4, outputTokens: 3, reasoningTokens: 2 },
  ],
  [
    "sound that is in what was cached, too",
    { input: 100, cacheRead: 80, inputAudio: 60 },
    { inputTokens: 0, cacheReadTokens: 80, inputAudioTokens: 20 },
  ],
  ["parts of an input nobody told", { cacheRead: 8, total: 20 }, { cacheReadTokens: 8 }],
])("takes apart %s", (_, counts, usage) => {
  expect(disjoint(counts)).toEqual(usage);
});

const count = fc.integer({ min: 0, max: 1000 });

it("is never more than the wholes of a vendor whose total is their sum", () => {
  fc.assert(
    fc.property(
      fc.record({
        input: count,
        output: count,
        cacheRead: count,
        cacheWrite: count,
        inputAudio: count,
        reasoning: count,
      }),
      (counts) => {
        fc.pre(counts.input + counts.output > 0);
        const usage = disjoint({ ...counts, total: counts.input + counts.output });
        expect([tokensIn(usage), tokensOut(usage)]).toEqual([counts.input, counts.output]);
      },
    ),
  );
});
