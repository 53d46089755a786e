import {
  compact,
  type Fields,
  isEmpty,
  isRecord,
  leftovers,
  lessParts,
  sumOf,
  tokenCount,
  type Usage,
  withTier,
} from "../../../core/index.ts";
import { withIterations, withoutIterations } from "./iterations.ts";

const known = new Set([
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "cache_creation",
  "server_tool_use",
  "output_tokens_details",
  "thinking_tokens",
  "iterations",
]);

/** The `usage` object of an answer or a stream event in disjoint buckets; undefined when it counts nothing. */
export function decodeUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  // Fast mode is priced as a tier is.
  const tier = wire.speed === "fast" ? "fast" : wire.service_tier;
  const usage = withIterations(countsIn(wire), wire.iterations, countsIn);
  return withTier(
    withGeo(isRedeemed(wire.fallback_credit) && usage ? { ...usage, repriced: true } : usage, wire.inference_geo),
    tier,
  );
}

/**
 * A retry on another model with the credit of a refusal "is billed as if the conversation had been on the retry model all along": what
 * it writes to the cache is paid for as if it were there (@anthropic-ai/sdk 1.14, `BetaFallbackCreditUsage`).
 */
const isRedeemed = (credit: unknown): boolean =>
  isRecord(credit) && isRecord(credit.status) && credit.status.type === "redeemed";

/** Anywhere is no place, and older models say that they have no choice of one. */
const noPlace: ReadonlySet<unknown> = new Set(["", "global", "not_available"]);

const withGeo = (usage: Usage | undefined, geo: unknown): Usage | undefined =>
  usage && typeof geo === "string" && !noPlace.has(geo) ? { ...usage, inferenceGeo: geo } : usage;

function countsIn(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const reasoningTokens = within(wire.output_tokens_details, "thinking_tokens") ?? tokenCount(wire.thinking_tokens);
  const usage = compact({
    inputTokens: tokenCount(wire.input_tokens),
    cacheReadTokens: tokenCount(wire.cache_read_input_tokens),
    cacheWriteTokens: tokenCount(wire.cache_creation_input_tokens),
    cacheWriteHourTokens: within(wire.cache_creation, "ephemeral_1h_input_tokens"),
    outputTokens: lessParts(tokenCount(wire.output_tokens), reasoningTokens),
    reasoningTokens,
    searches: within(wire.server_tool_use, "web_search_requests"),
    fetches: within(wire.server_tool_use, "web_fetch_requests"),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

const within = (value: unknown, name: string) => (isRecord(value) ? tokenCount(value[name]) : undefined);

/** What is said of the usage at the end of a stream only: it belongs to the choice. */
export const usageAtEnd = (wire: unknown): Fields | undefined =>
  isRecord(wire) && Array.isArray(wire.iterations) ? { usage: { iterations: wire.iterations } } : undefined;

/** What the vendor says about an answer's usage besides counts (`service_tier`). */
export const usageLeftovers = (wire: unknown): Fields | undefined =>
  isRecord(wire) ? leftovers(wire, known) : undefined;

/**
 * Clients of this format rely on the four counts being there: unknown ones are zero. `own` is what the vendor said of the usage
 * besides.
 */
export function encodeUsage(given: Usage = {}, own?: Readonly<Fields>): Fields {
  const usage = withoutIterations(given, own?.iterations, countsIn) ?? {};
  const { cacheWriteTokens = 0, cacheWriteHourTokens: hour, reasoningTokens } = usage;
  const served = compact({ web_search_requests: usage.searches, web_fetch_requests: usage.fetches });
  return {
    input_tokens: sumOf(usage.inputTokens, usage.inputAudioTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens ?? 0,
    ...(hour !== undefined && {
      cache_creation: {
        ephemeral_5m_input_tokens: Math.max(0, cacheWriteTokens - hour),
        ephemeral_1h_input_tokens: hour,
      },
    }),
    output_tokens: sumOf(usage.outputTokens, reasoningTokens, usage.outputAudioTokens),
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
    ...(!isEmpty(served) && { server_tool_use: served }),
  };
}
