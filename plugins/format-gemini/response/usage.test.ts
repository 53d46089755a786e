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

it.each([
  ["ON_DEMAND", "standard"],
  ["ON_DEMAND_FLEX", "flex"],
  ["ON_DEMAND_PRIORITY", "priority"],
  ["PROVISIONED_THROUGHPUT", "provisioned"],
  ["TRAFFIC_TYPE_UNSPECIFIED", undefined],
])("is of the traffic %s at Vertex AI: %s", (trafficType, serviceTier) => {
  const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, trafficType };
  expect(gemini.readUsage({ usageMetadata })).toEqual({
    inputTokens: 3,
    outputTokens: 2,
    ...(serviceTier && { serviceTier }),
  });
});
