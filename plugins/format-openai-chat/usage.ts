import type { Usage } from "../../core/index.ts";
import { compact, type Fields, isRecord } from "./extra.ts";

/** Vendors write -1 for counts they do not know. */
const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;

const fieldsIn = (value: unknown): Readonly<Fields> => (isRecord(value) ? value : {});

const sum = (...counts: readonly (number | undefined)[]): number =>
  counts.reduce<number>((all, n) => all + (n ?? 0), 0);

/** Fields of `usage` that are read. Others (a vendor's cost, timings) travel with the answer. */
const known = new Set([
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "prompt_tokens_details",
  "completion_tokens_details",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "num_search_queries",
]);

/** The wire counts include their parts; the buckets do not. */
export function decodeUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const input = fieldsIn(wire.prompt_tokens_details);
  const output = fieldsIn(wire.completion_tokens_details);
  const cacheReadTokens =
    count(input.cached_tokens) ?? count(wire.cache_read_input_tokens) ?? count(wire.prompt_cache_hit_tokens);
  const cacheWriteTokens = count(wire.cache_creation_input_tokens) ?? count(input.cache_write_tokens);
  const inputAudioTokens = count(input.audio_tokens);
  const reasoningTokens = count(output.reasoning_tokens);
  const outputAudioTokens = count(output.audio_tokens);
  const prompt = count(wire.prompt_tokens);
  const completion = count(wire.completion_tokens);
  // Some vendors count reasoning beside the completion, not in it. Their total tells.
  const beside = sum(reasoningTokens) > 0 && count(wire.total_tokens) === sum(prompt, completion, reasoningTokens);
  const less = (total: number | undefined, ...parts: readonly (number | undefined)[]) =>
    total === undefined ? undefined : Math.max(0, total - sum(...parts));
  const usage: Usage = compact({
    inputTokens: less(prompt, cacheReadTokens, cacheWriteTokens, inputAudioTokens),
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: less(completion, beside ? 0 : reasoningTokens, outputAudioTokens),
    reasoningTokens,
    inputAudioTokens,
    outputAudioTokens,
    acceptedPredictionTokens: count(output.accepted_prediction_tokens),
    rejectedPredictionTokens: count(output.rejected_prediction_tokens),
    searches: count(wire.num_search_queries),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

export const unreadUsage = (wire: unknown): Fields =>
  Object.fromEntries(Object.entries(fieldsIn(wire)).filter(([name, value]) => !known.has(name) && value !== null));

/** Only what is known is written: a total that misses a part would be wrong. */
export function encodeUsage(usage: Usage): Fields {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, inputAudioTokens } = usage;
  const { outputTokens, reasoningTokens, outputAudioTokens } = usage;
  const total = (...parts: readonly (number | undefined)[]) =>
    parts.some((part) => part !== undefined) ? sum(...parts) : undefined;
  const prompt = total(inputTokens, cacheReadTokens, cacheWriteTokens, inputAudioTokens);
  const completion = total(outputTokens, reasoningTokens, outputAudioTokens);
  return compact({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt === undefined || completion === undefined ? undefined : prompt + completion,
    prompt_tokens_details: details({ cached_tokens: cacheReadTokens, audio_tokens: inputAudioTokens }),
    completion_tokens_details: details({
      reasoning_tokens: reasoningTokens,
      audio_tokens: outputAudioTokens,
      accepted_prediction_tokens: usage.acceptedPredictionTokens,
      rejected_prediction_tokens: usage.rejectedPredictionTokens,
    }),
    ...(sum(cacheReadTokens, cacheWriteTokens) > 0 && {
      cache_read_input_tokens: cacheReadTokens,
      cache_creation_input_tokens: cacheWriteTokens,
    }),
    num_search_queries: usage.searches,
  });
}

function details(fields: Fields): Fields | undefined {
  const present = compact(fields);
  return Object.keys(present).length > 0 ? present : undefined;
}
