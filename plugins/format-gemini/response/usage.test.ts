import { expect, it } from "vitest";
import { gemini } from "../format.ts";

it.each([
  ["flex", "flex"],
  ["SERVICE_TIER_PRIORITY", "priority"],
  ["STANDARD", "standard"],
  [undefined, undefined],
])("is of the service tier %s: %s", (serviceTier, tier) => {
  const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, ...(serviceTier && { serviceTier }) };
  expect(gemini.readUsage({ usageMetadata })).toEqual({
    inputTokens: 3,
    outputTokens: 2,
    ...(tier && { serviceTier: tier }),
  });
});
