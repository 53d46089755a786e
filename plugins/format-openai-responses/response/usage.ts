import {
  chargedIn,
  compact,
  disjoint,
  type Fields,
  fieldsIn,
  isEmpty,
  isRecord,
  leftovers,
  sumOf,
  tokenCount,
  type Usage,
  withTier,
} from "../../../core/index.ts";

/** Fields of `usage` that are read. Others (a vendor's cost, its sources) travel with the answer. */
const known: ReadonlySet<string> = new Set([
  "input_tokens",
  "input_tokens_details",
  "output_tokens",
  "output_tokens_details",
  "total_tokens",
]);

export const unreadUsage = (wire: unknown): Fields | undefined => leftovers(fieldsIn(wire), known);

/** What an answer used. Searches are paid for each; where the answer does not say how many of them, those it holds are counted. */
export function usageOf({
  usage: wire,
  output,
  service_tier: tier,
  tool_usage: tools,
}: Readonly<Fields>): Usage | undefined {
  const usage = withTier(decodeUsage(wire), tier);
  if (!usage || !Array.isArray(output)) return usage;
  // "counts billable searches. Discounted searches and actions such as opening a page are excluded" (API reference).
  const searches = tokenCount(fieldsIn(fieldsIn(tools).web_search).num_requests) ?? output.filter(isSearch).length;
  const fileSearches = output.filter(isFileSearch).length;
  const more: Usage = {
    ...(searches > 0 && { searches }),
    ...(fileSearches > 0 && { fileSearches }),
    ...(output.some(isUncounted) && { uncounted: true }),
  };
  return isEmpty(more) ? usage : Object.assign({}, usage, more);
}

/** What draws is another model, and code runs in a container: both are on the bill, and not in the usage. */
const isUncounted = (item: unknown): boolean =>
  isRecord(item) &&
  (item.type === "code_interpreter_call" || item.type === "image_generation_call") &&
  item.status !== "failed";

const isFileSearch = (item: unknown): boolean =>
  isRecord(item) && item.type === "file_search_call" && item.status !== "failed";

/** Opening a page that was found, or looking through it, is none. */
const isSearch = (item: unknown): boolean =>
  isRecord(item) &&
  item.type === "web_search_call" &&
  item.status !== "failed" &&
  (fieldsIn(item.action).type ?? "search") === "search";

/** The wire counts include their parts; the buckets do not. Undefined when nothing is counted. */
function decodeUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const input = fieldsIn(wire.input_tokens_details);
  const output = fieldsIn(wire.output_tokens_details);
  const counts = disjoint({
    input: tokenCount(wire.input_tokens),
    output: tokenCount(wire.output_tokens),
    total: tokenCount(wire.total_tokens),
    // Perplexity has the names of the Messages API for them.
    cacheRead: tokenCount(input.cached_tokens) ?? tokenCount(input.cache_read_input_tokens),
    cacheWrite: tokenCount(input.cache_write_tokens) ?? tokenCount(input.cache_creation_input_tokens),
    inputAudio: tokenCount(input.audio_tokens),
    reasoning: tokenCount(output.reasoning_tokens),
    outputAudio: tokenCount(output.audio_tokens),
  });
  const charged = chargedIn(wire);
  const usage = charged === undefined ? counts : Object.assign(counts, { charged });
  return isEmpty(usage) ? undefined : usage;
}

/** Clients of this format rely on all of these counts being there: unknown ones are zero. */
export function encodeUsage(usage: Usage): Fields {
  const { cacheReadTokens = 0, cacheWriteTokens, inputAudioTokens, reasoningTokens = 0, outputAudioTokens } = usage;
  const input = sumOf(usage.inputTokens, cacheReadTokens, cacheWriteTokens, inputAudioTokens);
  const output = sumOf(usage.outputTokens, reasoningTokens, outputAudioTokens);
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: cacheReadTokens,
      ...compact({ cache_write_tokens: cacheWriteTokens, audio_tokens: inputAudioTokens }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoningTokens, ...compact({ audio_tokens: outputAudioTokens }) },
    total_tokens: input + output,
  };
}
