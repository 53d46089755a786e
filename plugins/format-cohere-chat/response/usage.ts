import {
  compact,
  type Fields,
  isRecord,
  leftovers,
  lessParts,
  tokenCount,
  totalOf,
  type Usage,
} from "../../../core/index.ts";

const known = new Set(["tokens", "cached_tokens"]);

/**
 * `usage` in disjoint buckets; undefined when it counts nothing. What was billed is less than what was read: it is the usage
 * only where nothing else is (providers.md section 12.3), and otherwise stands beside it, for prices. A zero without what was billed
 * stands for what is unknown: one of them is written so.
 */
export function decodeUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const [all, billed] = [countsIn(wire.tokens), countsIn(wire.billed_units)];
  const read = billed
    ? all
    : all && (all.input || all.output)
      ? { input: all.input || undefined, output: all.output || undefined }
      : undefined;
  const counts = read ?? billed;
  const cached = tokenCount(wire.cached_tokens);
  const usage = compact({
    inputTokens: lessParts(counts?.input, cached),
    cacheReadTokens: cached,
    outputTokens: counts?.output,
    ...(read && { billedInputTokens: billed?.input, billedOutputTokens: billed?.output }),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

function countsIn(wire: unknown): { input: number | undefined; output: number | undefined } | undefined {
  if (!isRecord(wire)) return undefined;
  const [input, output] = [tokenCount(wire.input_tokens), tokenCount(wire.output_tokens)];
  return input === undefined && output === undefined ? undefined : { input, output };
}

/** What the vendor says about usage besides the counts that are read: what it bills. */
export const usageLeftovers = (wire: unknown): Fields | undefined =>
  isRecord(wire) ? leftovers(wire, known) : undefined;

/**
 * Clients read either count: what no vendor says it billed less of is billed. One of them takes no answer in which a count is not there
 * (Vercel's AI SDK): unknown ones are zero, and not billed. `own` is what this vendor said besides.
 */
export function encodeUsage(usage: Usage = {}, own?: unknown): Fields {
  const input = totalOf(usage.inputTokens, usage.cacheReadTokens, usage.cacheWriteTokens, usage.inputAudioTokens);
  const output = totalOf(usage.outputTokens, usage.reasoningTokens, usage.outputAudioTokens);
  const billed = { input_tokens: usage.billedInputTokens ?? input, output_tokens: usage.billedOutputTokens ?? output };
  const isBilled = billed.input_tokens !== undefined && billed.output_tokens !== undefined;
  return {
    billed_units: isBilled ? billed : undefined,
    tokens: { input_tokens: input ?? 0, output_tokens: output ?? 0 },
    ...(usage.cacheReadTokens !== undefined && { cached_tokens: usage.cacheReadTokens }),
    ...(isRecord(own) && own),
  };
}
