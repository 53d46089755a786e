import { compact, disjoint, type Fields, isRecord, tokenCount, totalOf, type Usage } from "../../core/index.ts";

const within = (value: unknown, name: string) => (isRecord(value) ? tokenCount(value[name]) : undefined);

/** The wire counts include their parts; the buckets do not. */
export function decodeUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const usage = disjoint({
    input: tokenCount(wire.prompt_tokens),
    output: tokenCount(wire.completion_tokens),
    total: tokenCount(wire.total_tokens),
    cacheRead: within(wire.prompt_tokens_details, "cached_tokens"),
    reasoning: within(wire.completion_tokens_details, "reasoning_tokens"),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

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
    prompt_tokens_details: cacheReadTokens === undefined ? undefined : { cached_tokens: cacheReadTokens },
    completion_tokens_details: reasoningTokens === undefined ? undefined : { reasoning_tokens: reasoningTokens },
  });
}
