import { expect, it } from "vitest";
import type { Attempt, Usage } from "../../../core/index.ts";
import { type Counted, hasFinished, usedSoFar } from "./so-far.ts";

const counted = { input: 11, output: 5, reasoning: 0 };

it.each<[string, Usage, Counted | undefined, Usage]>([
  [
    "what was told, where nothing can be counted",
    { inputTokens: 7, outputTokens: 1 },
    undefined,
    { inputTokens: 7, outputTokens: 1 },
  ],
  [
    "the prompt that was told, and what came",
    { inputTokens: 7, outputTokens: 1 },
    counted,
    { inputTokens: 7, outputTokens: 5 },
  ],
  [
    "a prompt that was all in a cache, and what came",
    { cacheReadTokens: 7 },
    counted,
    { cacheReadTokens: 7, outputTokens: 5 },
  ],
  [
    "what was told, where that is more",
    { inputTokens: 7, outputTokens: 9 },
    counted,
    { inputTokens: 7, outputTokens: 9 },
  ],
  [
    "the prompt as it is counted, where only the answer was told",
    { outputTokens: 9 },
    counted,
    { inputTokens: 11, outputTokens: 9 },
  ],
  [
    "thoughts that came, in place of fewer that were told",
    { inputTokens: 7, outputTokens: 0, reasoningTokens: 2 },
    { input: 11, output: 1, reasoning: 3 },
    { inputTokens: 7, outputTokens: 1, reasoningTokens: 3 },
  ],
  [
    "searches that were told",
    { inputTokens: 7, searches: 1 },
    counted,
    { inputTokens: 7, outputTokens: 5, searches: 1 },
  ],
])("what an answer used that broke off is %s", (_, told, here, used) => {
  expect(usedSoFar(told, here)).toEqual({ ...used, estimated: true });
});

it("an answer has finished where something says why it ended", () => {
  const withheld = (choice: object) =>
    ({ withheld: { choices: [{ index: 0, content: [], ...choice }] } }) as unknown as Attempt;
  expect(
    [{ finishReason: "stop" }, { finishReason: "other", rawFinishReason: "odd" }, { finishReason: "other" }].map(
      (one) => hasFinished(withheld(one)),
    ),
  ).toEqual([true, true, false]);
  expect(hasFinished({} as Attempt)).toBe(false);
});
