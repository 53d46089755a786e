import { expect, it } from "vitest";
import { countedTokens, tokensIn, tokensOut, totalTokens, usageSum } from "./usage-sums.ts";

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

it.each<[object | undefined, bigint]>([
  [all, 127n],
  [{ inputTokens: 10.5, outputTokens: 1.25 }, 12n],
  [{ inputTokens: 1e300 }, BigInt(Number.MAX_SAFE_INTEGER)],
  [{ pages: 2 }, 0n],
  [undefined, 0n],
])("counters take the tokens of %j as %s", (usage, counted) => {
  expect(countedTokens(usage)).toBe(counted);
});

it("adds usages bucket by bucket, and leaves both as they are", () => {
  const one = Object.freeze({ inputTokens: 1, searches: 2 });
  const other = Object.freeze({ inputTokens: 2, outputTokens: 3, estimated: true } as const);
  expect(usageSum(one, other)).toEqual({ inputTokens: 3, outputTokens: 3, searches: 2, estimated: true });
  expect(usageSum(other, one)).toEqual(usageSum(one, other));
});

it("adds usages of one service tier only to one that has it", () => {
  const flex = { inputTokens: 1, serviceTier: "flex" };
  expect(usageSum(flex, flex)).toEqual({ inputTokens: 2, serviceTier: "flex" });
  expect(usageSum(flex, { inputTokens: 1, serviceTier: "default" })).toEqual({ inputTokens: 2 });
  const here = { inputTokens: 1, inferenceGeo: "us" };
  expect(usageSum(here, here)).toEqual({ inputTokens: 2, inferenceGeo: "us" });
  expect(usageSum(here, { inputTokens: 1 })).toEqual({ inputTokens: 2 });
  expect(usageSum({ inputTokens: 1 }, flex)).toEqual({ inputTokens: 2 });
});

it("adds what is billed, which is all of what a vendor does not say it bills less of", () => {
  const less = { inputTokens: 70, outputTokens: 4, billedInputTokens: 3, billedOutputTokens: 4 };
  const other = { inputTokens: 10, cacheReadTokens: 5 };
  const sum = { inputTokens: 80, cacheReadTokens: 5, outputTokens: 4, billedInputTokens: 18, billedOutputTokens: 4 };
  expect(usageSum(less, other)).toEqual(sum);
  expect(usageSum(other, less)).toEqual(sum);
});

it("adds what several models used only where both say it", () => {
  const byModel = [{ model: "a", usage: { inputTokens: 1 } }];
  const together = { inputTokens: 1, byModel };
  expect(usageSum(together, together)).toEqual({ inputTokens: 2, byModel: [...byModel, ...byModel] });
  expect(usageSum(together, { inputTokens: 1 })).toEqual({ inputTokens: 2 });
  expect(usageSum({ inputTokens: 1 }, together)).toEqual({ inputTokens: 2 });
});

it("adds nothing to a usage where there is no other", () => {
  expect(usageSum(undefined, all)).toBe(all);
  expect(usageSum(all, undefined)).toBe(all);
  expect(usageSum(undefined, undefined)).toBeUndefined();
});
