/** Where this host has the tier that Gemini's own API has in the body (docs.cloud.google.com, "Priority PayGo", "Flex PayGo"). */
export const tierHeader = "x-vertex-ai-llm-shared-request-type";

export const tierFields = { serviceTier: tierHeader, service_tier: tierHeader } as const;

/** `flex`, also as `SERVICE_TIER_FLEX`; undefined where none is named. */
export function tierOf(value: string): string | undefined {
  const tier = value.toLowerCase().replace(/^service_tier_/, "");
  return tier === "unspecified" ? undefined : tier;
}
