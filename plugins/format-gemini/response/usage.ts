import {
  compact,
  type Fields,
  isEmpty,
  isRecord,
  leftovers,
  lessParts,
  lookUp,
  tokenCount,
  totalOf,
  type Usage,
  withTier,
} from "../../../core/index.ts";
import { SearchCounter } from "./searches.ts";

const known = new Set([
  "promptTokenCount",
  "cachedContentTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
  "totalTokenCount",
]);

/** `usageMetadata` in disjoint buckets; undefined when it counts nothing. */
export function decodeUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const cacheReadTokens = tokenCount(wire.cachedContentTokenCount);
  // Sound that came from a cache is counted there.
  const cacheReadAudioTokens = audioIn(wire.cacheTokensDetails);
  const cacheReadImageTokens = tokensOf("IMAGE", wire.cacheTokensDetails);
  const fresh = lessParts(tokenCount(wire.promptTokenCount), cacheReadTokens);
  const inputAudioTokens = atMost(fresh, lessParts(audioIn(wire.promptTokensDetails), cacheReadAudioTokens));
  const outputAudioTokens = audioIn(wire.candidatesTokensDetails);
  const read = lessParts(fresh, inputAudioTokens);
  const inputImageTokens = atMost(read, lessParts(tokensOf("IMAGE", wire.promptTokensDetails), cacheReadImageTokens));
  const filmed = lessParts(tokensOf("VIDEO", wire.promptTokensDetails), tokensOf("VIDEO", wire.cacheTokensDetails));
  const usage = compact({
    // What tools read for the model was prompt, too, and is counted beside it.
    inputTokens: totalOf(read, tokenCount(wire.toolUsePromptTokenCount)),
    cacheReadTokens,
    inputAudioTokens,
    outputTokens: lessParts(tokenCount(wire.candidatesTokenCount), outputAudioTokens),
    reasoningTokens: tokenCount(wire.thoughtsTokenCount),
    outputAudioTokens,
    inputImageTokens,
    inputVideoTokens: atMost(lessParts(read, inputImageTokens), filmed),
    outputImageTokens: tokensOf("IMAGE", wire.candidatesTokensDetails),
    outputVideoTokens: tokensOf("VIDEO", wire.candidatesTokensDetails),
    cacheReadAudioTokens,
    cacheReadImageTokens,
  });
  return isEmpty(usage) ? undefined : usage;
}

/** The same of an answer, or of a frame of one: searches are paid for, and counted nowhere but in what it is grounded on. */
export function usageOf(wire: Readonly<Fields>, counter = new SearchCounter()): Usage | undefined {
  const usage = withTier(decodeUsage(counted(wire)), tierIn(wire.usageMetadata));
  const searches = counter.take(wire);
  if (searches === undefined && !counter.onMaps) return usage;
  return { ...usage, ...compact({ searches }), ...(counter.onMaps && { uncounted: true }) };
}

/** How Vertex AI served an answer, which may be otherwise than was asked for (docs.cloud.google.com, "Priority PayGo"). */
const traffics: Readonly<Record<string, string>> = {
  ON_DEMAND: "standard",
  ON_DEMAND_FLEX: "flex",
  ON_DEMAND_PRIORITY: "priority",
  PROVISIONED_THROUGHPUT: "provisioned",
};

/** `flex`, also as `SERVICE_TIER_FLEX`. */
function tierIn(wire: unknown): string | undefined {
  const { serviceTier: tier, trafficType: traffic } = isRecord(wire) ? wire : {};
  if (typeof tier === "string") return tier.toLowerCase().replace(/^service_tier_/, "");
  return typeof traffic === "string" ? lookUp(traffics, traffic) : undefined;
}

/** Counts of nothing are left out by the vendor: of an answer in which nothing was said, that one is put back. */
function counted({ usageMetadata: usage, candidates, promptFeedback }: Readonly<Fields>): unknown {
  if (!isRecord(usage) || usage.candidatesTokenCount !== undefined) return usage;
  const blocked = candidates === undefined && isRecord(promptFeedback) && promptFeedback.blockReason !== undefined;
  return blocked || isSilent(usage) ? { ...usage, candidatesTokenCount: 0 } : usage;
}

/** Whether the total is that of what was read and thought. */
function isSilent({ promptTokenCount, totalTokenCount, ...usage }: Readonly<Fields>): boolean {
  const read = tokenCount(promptTokenCount);
  const beside = [usage.toolUsePromptTokenCount, usage.thoughtsTokenCount].map(tokenCount);
  return read !== undefined && totalOf(read, ...beside) === tokenCount(totalTokenCount);
}

/** Where the vendor does not say of which kind the cached tokens are, no more of a kind were read than of all kinds. */
const atMost = (whole: number | undefined, part: number | undefined): number | undefined =>
  whole === undefined || part === undefined ? part : Math.min(whole, part);

const audioIn = (details: unknown): number | undefined => tokensOf("AUDIO", details);

/** The tokens of one kind among those of all kinds; undefined where there are none. */
function tokensOf(modality: string, details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  return totalOf(
    ...details.map((one) => (isRecord(one) && one.modality === modality ? tokenCount(one.tokenCount) : undefined)),
  );
}

/** What the vendor says about usage besides the counts that are read: kinds of tokens, the kind of traffic. */
export function usageLeftovers(wire: unknown): Fields | undefined {
  if (!isRecord(wire)) return undefined;
  const { candidatesTokenCount: candidates, totalTokenCount: total } = wire;
  // Counts of nothing are left out here: then the total cannot be told from its parts.
  const whole = candidates === undefined && total !== undefined ? { totalTokenCount: total } : undefined;
  const rest = leftovers(wire, known);
  return whole ? { ...rest, ...whole } : rest;
}

/** Only what is known is written: a total that misses a part would be wrong. */
export function encodeUsage(usage: Usage, more: Readonly<Fields> = {}): Fields {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, inputAudioTokens } = usage;
  const { outputTokens, reasoningTokens, outputAudioTokens } = usage;
  const all = totalOf(inputTokens, cacheReadTokens, cacheWriteTokens, inputAudioTokens);
  const prompt = lessParts(all, tokenCount(more.toolUsePromptTokenCount));
  const candidates = totalOf(outputTokens, outputAudioTokens);
  return compact({
    promptTokenCount: prompt,
    // Its own vendor has left a count of nothing out.
    candidatesTokenCount: candidates === 0 && more.totalTokenCount !== undefined ? undefined : candidates,
    thoughtsTokenCount: reasoningTokens,
    totalTokenCount:
      all === undefined || candidates === undefined ? undefined : totalOf(all, candidates, reasoningTokens),
    cachedContentTokenCount: cacheReadTokens,
    promptTokensDetails: audioDetails(inputAudioTokens),
    candidatesTokensDetails: audioDetails(outputAudioTokens),
    ...more,
  });
}

const audioDetails = (count: number | undefined): readonly Fields[] | undefined =>
  count === undefined ? undefined : [{ modality: "AUDIO", tokenCount: count }];
