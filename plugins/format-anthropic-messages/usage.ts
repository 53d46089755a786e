import type { Usage } from "../../core/index.ts";
import { isRecord, leftovers, present, type Wire } from "./fields.ts";

const known = new Set([
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "cache_creation",
  "server_tool_use",
  "output_tokens_details",
  "thinking_tokens",
]);

/** The `usage` object of an answer or a stream event in disjoint buckets; undefined when it counts nothing. */
export function decodeUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const output = count(wire.output_tokens);
  const reasoningTokens = within(wire.output_tokens_details, "thinking_tokens") ?? count(wire.thinking_tokens);
  const usage = present({
    inputTokens: count(wire.input_tokens),
    cacheReadTokens: count(wire.cache_read_input_tokens),
    cacheWriteTokens: count(wire.cache_creation_input_tokens),
    cacheWriteHourTokens: within(wire.cache_creation, "ephemeral_1h_input_tokens"),
    outputTokens: output === undefined ? undefined : Math.max(0, output - (reasoningTokens ?? 0)),
    reasoningTokens,
    searches: within(wire.server_tool_use, "web_search_requests"),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

const count = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
const within = (value: unknown, name: string) => (isRecord(value) ? count(value[name]) : undefined);

/** What the vendor says about an answer's usage besides counts (`service_tier`). */
export const usageLeftovers = (wire: unknown): Wire | undefined =>
  isRecord(wire) ? leftovers(wire, known) : undefined;

/** Clients of this format rely on the four counts being there: unknown ones are zero. */
export function encodeUsage(usage: Usage = {}): Wire {
  const { cacheWriteTokens = 0, cacheWriteHourTokens: hour, reasoningTokens, searches } = usage;
  return {
    input_tokens: (usage.inputTokens ?? 0) + (usage.inputAudioTokens ?? 0),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens ?? 0,
    ...(hour !== undefined && {
      cache_creation: {
        ephemeral_5m_input_tokens: Math.max(0, cacheWriteTokens - hour),
        ephemeral_1h_input_tokens: hour,
      },
    }),
    output_tokens: (usage.outputTokens ?? 0) + (reasoningTokens ?? 0) + (usage.outputAudioTokens ?? 0),
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
    ...(searches !== undefined && { server_tool_use: { web_search_requests: searches } }),
  };
}
