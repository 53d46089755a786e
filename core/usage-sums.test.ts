import { expect, it } from "vitest";
import { tokensIn, tokensOut, totalTokens, usageSum } from "./usage-sums.ts";

const all = {
  inputTokens: 1,
  cacheReadTokens: 2,
  cacheWriteTokens: 4,
  cacheWriteHourTokens: 4,
  inputAudioTokens: 8,
  outputTokens: 16,
  reasoningTokens: 32,
  outputAudioTokens: 64,
  outputImageTokens: 16,
  searches: 3,
} as const;

it.each([
  [all, 15, 112, 127],
  [{ inputTokens: 0 }, 0, undefined, 0],
  [{ outputTokens: 7 }, undefined, 7, 7],
  [{ cacheReadTokens: 3, reasoningTokens: 2 }, 3, 2, 5],
  [{ pages: 2 }, undefined, undefined, undefined],
  [undefined, undefined, undefined, undefined],
])("counts the tokens of %j: %j in, %j out, %j in all", (usage, asked, answered, total) => {
  expect([tokensIn(usage), tokensOut(usage), totalTokens(usage)]).toEqual([asked, answered, total]);
});

it("adds usages bucket by bucket, and leaves both as they are", () => {
  const one = Object.freeze({ inputTokens: 1, searches: 2 });
  const other = Object.freeze({ inputTokens: 2, outputTokens: 3, estimated: true } as const);
  expect(usageSum(one, other)).toEqual({ inputTokens: 3, outputTokens: 3, searches: 2, estimated: true });
  expect(usageSum(other, one)).toEqual(usageSum(one, other));
});

it("adds nothing to a usage where there is no other", () => {
  expect(usageSum(undefined, all)).toBe(all);
  expect(usageSum(all, undefined)).toBe(all);
  expect(usageSum(undefined, undefined)).toBeUndefined();
});
