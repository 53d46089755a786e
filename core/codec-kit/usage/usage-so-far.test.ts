import { expect, it } from "vitest";
import type { Usage } from "../../model/usage.ts";
import { usageSoFar } from "./usage-so-far.ts";

const nothing: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 };
const something: Usage = { inputTokens: 10, outputTokens: 5 };

it.each<[string, readonly Usage[], Usage]>([
  [
    "the later counts, bucket by bucket",
    [{ inputTokens: 1, outputTokens: 1 }, { inputTokens: 2 }],
    { inputTokens: 2, outputTokens: 1 },
  ],
  ["what was said before zeros", [something, nothing], something],
  ["what was said after zeros", [nothing, something], { ...something, cacheReadTokens: 0 }],
  ["zeros, where there is nothing else", [nothing, nothing], nothing],
  ["a zero among counts", [something, { inputTokens: 10, outputTokens: 0 }], { inputTokens: 10, outputTokens: 0 }],
  ["the tier of zeros", [something, { ...nothing, serviceTier: "flex" }], { ...something, serviceTier: "flex" }],
  ["a tier alone before zeros, and the zeros", [{ serviceTier: "flex" }, nothing], { ...nothing, serviceTier: "flex" }],
])("of a stream so far is %s", (_, frames, usage) => {
  expect(frames.reduce<Usage | undefined>(usageSoFar, undefined)).toEqual(usage);
});
