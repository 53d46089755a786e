import { withTier } from "../codec-kit/usage/tiers.ts";
import type { Usage } from "../model/usage.ts";

/** Tokens that went into a model, cached ones too. Undefined where none were reported. */
export function tokensIn(usage: Usage | undefined): number | undefined {
  if (!usage) return undefined;
  return plus(plus(usage.inputTokens, usage.cacheReadTokens), plus(usage.cacheWriteTokens, usage.inputAudioTokens));
}

/** Tokens that came out of it, reasoning too. Undefined where none were reported. */
export function tokensOut(usage: Usage | undefined): number | undefined {
  if (!usage) return undefined;
  return plus(plus(usage.outputTokens, usage.reasoningTokens), usage.outputAudioTokens);
}

/** All tokens of a usage: what token limits count. Undefined where none were reported. */
export const totalTokens = (usage: Usage | undefined): number | undefined => plus(tokensIn(usage), tokensOut(usage));

/**
 * The same as counters take it: whole tokens, none where nothing is known. Vendors may write fractions, and numbers that are
 * none of tokens; neither keeps what else was used from being counted.
 */
export const countedTokens = (usage: Usage | undefined): bigint =>
  BigInt(Math.min(Math.ceil(totalTokens(usage) ?? 0), Number.MAX_SAFE_INTEGER));

/** Unknown is not zero. */
function plus(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined) return other;
  return other === undefined ? one : one + other;
}

/** What is billed, and what it is where a vendor does not say: all of it. */
const billed = [
  ["billedInputTokens", tokensIn],
  ["billedOutputTokens", tokensOut],
] as const;

/**
 * What two calls used together; what neither has reported is not known. Of two service tiers there is none in common, nor of two
 * places, nor of two sizes; and by model there is none where one of them does not say it.
 */
export function usageSum<Other extends Usage | undefined>(one: Usage | undefined, other: Other): Usage | Other {
  if (!one || !other) return one ?? other;
  const { serviceTier, inferenceGeo, charged, byModel, videoSize, ...counts } = one;
  const {
    serviceTier: otherTier,
    inferenceGeo: otherGeo,
    charged: otherCharged,
    byModel: otherByModel,
    videoSize: otherSize,
    ...others
  } = other as Usage;
  const total: Record<string, number | true> = { ...counts };
  for (const [name, count] of Object.entries(others)) {
    const before = total[name];
    total[name] = typeof count === "number" && typeof before === "number" ? before + count : count;
  }
  for (const [name, counted] of billed) {
    if (total[name] === undefined) continue;
    total[name] = (one[name] ?? counted(one) ?? 0) + ((other as Usage)[name] ?? counted(other) ?? 0);
  }
  const paid: Usage = charged && otherCharged ? { ...total, charged: [...charged, ...otherCharged] } : total;
  const sum: Usage = byModel && otherByModel ? { ...paid, byModel: [...byModel, ...otherByModel] } : paid;
  const sized: Usage = videoSize !== undefined && videoSize === otherSize ? { ...sum, videoSize } : sum;
  const placed: Usage = inferenceGeo !== undefined && inferenceGeo === otherGeo ? { ...sized, inferenceGeo } : sized;
  return serviceTier === otherTier ? withTier(placed, serviceTier) : placed;
}
