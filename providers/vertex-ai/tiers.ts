/** Where this host has the tier that Gemini's own API has in the body (docs.cloud.google.com, "Priority PayGo", "Flex PayGo"). */
export const tierHeader = "x-vertex-ai-llm-shared-request-type";

export const tierFields = { serviceTier: tierHeader, service_tier: tierHeader } as const;

/** What everybody has without asking has no word. */
const usual: ReadonlySet<string> = new Set(["auto", "default", "standard", "unspecified"]);

/** `flex`, also as `SERVICE_TIER_FLEX`; undefined where none is named, or the usual one. */
export function tierOf(value: string): string | undefined {
  const tier = value.toLowerCase().replace(/^service_tier_/, "");
  return usual.has(tier) ? undefined : tier;
}
