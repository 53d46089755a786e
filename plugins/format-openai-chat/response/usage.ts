import {
  chargedIn,
  compact,
  disjoint,
  type Fields,
  fieldsIn,
  isEmpty,
  isRecord,
  leftovers,
  recordsIn,
  sumOf,
  tokenCount,
  totalOf,
  type Usage,
  withTier,
  writtenCharge,
} from "../../../core/index.ts";

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
  const counts = disjoint({
    input: tokenCount(wire.prompt_tokens),
    output: tokenCount(wire.completion_tokens),
    total: tokenCount(wire.total_tokens),
    cacheRead:
      tokenCount(input.cached_tokens) ??
      tokenCount(wire.cache_read_input_tokens) ??
      tokenCount(wire.prompt_cache_hit_tokens) ??
      tokenCount(wire.cached_tokens),
    cacheWrite: tokenCount(wire.cache_creation_input_tokens) ?? tokenCount(input.cache_write_tokens),
    inputAudio: tokenCount(input.audio_tokens),
    reasoning: tokenCount(output.reasoning_tokens),
    outputAudio: tokenCount(output.audio_tokens),
  });
  const more = compact({
    // OpenRouter says so of models that draw.
    outputImageTokens: tokenCount(output.image_tokens) || undefined,
    acceptedPredictionTokens: tokenCount(output.accepted_prediction_tokens),
    rejectedPredictionTokens: tokenCount(output.rejected_prediction_tokens),
    searches: tokenCount(wire.num_search_queries),
    // Mistral says so of models that listen: it bills tokens, and seconds.
    audioSeconds: tokenCount(wire.prompt_audio_seconds) || undefined,
    charged: chargedIn(wire),
  });
  const usage: Usage = Object.assign(counts, more);
  // Mistral has the tier here, others beside the usage.
  return isEmpty(usage) ? undefined : withTier(usage, wire.service_tier);
}

/** The member of a message, or of a delta, with the tools that its vendor has run. */
const ran = "executed_tools";

/**
 * Whether tools were run that are paid for and counted nowhere: Groq's, each at a price of its own, by the call or by the time
 * (`ExecutedTool` of groq-sdk, console.groq.com/docs/tool-use/built-in-tools).
 */
export const hasRunTools = ({ choices }: Readonly<Fields>): boolean =>
  Array.isArray(choices) &&
  choices.some((choice) => {
    const { message, delta } = fieldsIn(choice);
    return recordsIn(fieldsIn(message ?? delta)[ran]).length > 0;
  });

/** The member, of an answer or of a stream's `x_groq`, that says what each model used of those a compound one is made of. */
const breakdown = "usage_breakdown";

/** What stands beside `usage` and counts as well. */
export const usageMarks: readonly string[] = [`"${ran}"`, `"${breakdown}"`];

/** `{models: [{model, usage}]}` (`UsageBreakdown` of groq-sdk 1.6). Undefined where one of them says nothing of what it used. */
function byModelIn(wire: Readonly<Fields>): Usage["byModel"] {
  const models = fieldsIn(wire[breakdown] ?? fieldsIn(wire.x_groq)[breakdown]).models;
  if (!Array.isArray(models) || models.length === 0) return undefined;
  const parts = models.flatMap((one) => {
    const { model, usage } = fieldsIn(one);
    const counts = decodeUsage(usage);
    return typeof model === "string" && counts ? [{ model, usage: counts }] : [];
  });
  return parts.length === models.length ? parts : undefined;
}

/** A `usage` object of an answer, or of a frame that has it, in which tools were run, or none. */
export function usageWith(usage: unknown, ranTools: boolean, wire: Readonly<Fields>): Usage | undefined {
  const counts = decodeUsage(usage);
  if (!counts) return undefined;
  const byModel = byModelIn(wire);
  const whole: Usage = byModel ? { ...counts, byModel } : counts;
  return ranTools ? { ...whole, uncounted: true } : whole;
}

/** What a whole answer used. */
export const usageOf = (wire: Readonly<Fields>): Usage | undefined =>
  withTier(usageWith(wire.usage, hasRunTools(wire), wire), wire.service_tier);

export const unreadUsage = (wire: unknown): Fields | undefined => leftovers(fieldsIn(wire), known);

/** Only what is known is written: a total that misses a part would be wrong. */
export function encodeUsage(usage: Usage): Fields {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, inputAudioTokens } = usage;
  const { outputTokens, reasoningTokens, outputAudioTokens } = usage;
  const prompt = totalOf(inputTokens, cacheReadTokens, cacheWriteTokens, inputAudioTokens);
  const completion = totalOf(outputTokens, reasoningTokens, outputAudioTokens);
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
    ...(sumOf(cacheReadTokens, cacheWriteTokens) > 0 && {
      cache_read_input_tokens: cacheReadTokens,
      cache_creation_input_tokens: cacheWriteTokens,
    }),
    num_search_queries: usage.searches,
    ...writtenCharge(usage.charged),
  });
}

function details(fields: Fields): Fields | undefined {
  const present = compact(fields);
  return Object.keys(present).length > 0 ? present : undefined;
}
