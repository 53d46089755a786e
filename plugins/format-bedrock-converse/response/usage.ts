import {
  compact,
  type Fields,
  isRecord,
  leftovers,
  tokenCount,
  totalOf,
  type Usage,
  withTier,
} from "../../../core/index.ts";

const known = new Set(["inputTokens", "outputTokens", "totalTokens", "cacheReadInputTokens", "cacheWriteInputTokens"]);

/** What an answer, or the event that ends a stream, has used, and in which service tier. */
export const usageOf = ({ usage, serviceTier: tier }: Readonly<Fields>): Usage | undefined =>
  withTier(decodeUsage(usage), isRecord(tier) ? tier.type : undefined);

/** `usage` in disjoint buckets: the vendor counts cached tokens beside the others. Undefined when it counts nothing. */
function decodeUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const usage = compact({
    inputTokens: tokenCount(wire.inputTokens),
    cacheReadTokens: tokenCount(wire.cacheReadInputTokens),
    cacheWriteTokens: tokenCount(wire.cacheWriteInputTokens),
    cacheWriteHourTokens: writtenForAnHour(wire.cacheDetails),
    outputTokens: tokenCount(wire.outputTokens),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

function writtenForAnHour(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  return totalOf(
    ...details.map((one) => (isRecord(one) && one.ttl === "1h" ? tokenCount(one.inputTokens) : undefined)),
  );
}

/** What the vendor says about usage besides the counts that are read, and a total that is not the sum of them. */
export function usageLeftovers(wire: unknown): Fields | undefined {
  if (!isRecord(wire)) return undefined;
  const rest = leftovers(wire, known);
  const { totalTokens: total } = wire;
  if (total === undefined || total === encodeUsage(decodeUsage(wire) ?? {}).totalTokens) return rest;
  return { ...rest, totalTokens: total };
}

/** Only what is known is written: a total that misses a part would be wrong. */
export function encodeUsage(usage: Usage, more: Readonly<Fields> = {}): Fields {
  const { inputTokens, inputAudioTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const input = totalOf(inputTokens, inputAudioTokens);
  const output = totalOf(usage.outputTokens, usage.reasoningTokens, usage.outputAudioTokens);
  return compact({
    inputTokens: input,
    outputTokens: output,
    totalTokens:
      input === undefined || output === undefined
        ? undefined
        : totalOf(input, cacheReadTokens, cacheWriteTokens, output),
    cacheReadInputTokens: cacheReadTokens,
    cacheWriteInputTokens: cacheWriteTokens,
    cacheDetails: detailsOf(usage),
    ...more,
  });
}

/** How much was written for how long, where that is known: each has its price. */
function detailsOf({ cacheWriteTokens = 0, cacheWriteHourTokens: hour }: Usage): Fields[] | undefined {
  if (hour === undefined) return undefined;
  const written = [
    { ttl: "1h", inputTokens: hour },
    { ttl: "5m", inputTokens: Math.max(0, cacheWriteTokens - hour) },
  ].filter(({ inputTokens }) => inputTokens > 0);
  return written.length > 0 ? written : undefined;
}
