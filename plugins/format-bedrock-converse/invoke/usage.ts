import { compact, type Fields, isRecord, sumOf, tokenCount, totalOf, type Usage } from "../../../core/index.ts";
import type { Family } from "./family.ts";
import { valueAt } from "./path.ts";

/** What the host counts, in the last frame of a stream; of whole answers it is in headers, which providers put here. */
export const metrics = "amazon-bedrock-invocationMetrics";

/** What was used: by the host's count, else by the model's own. Undefined when nobody counted. */
export function usageIn(
  family: Family,
  wire: Readonly<Fields>,
  choices: readonly Readonly<Fields>[],
): Usage | undefined {
  const counted = isRecord(wire[metrics]) ? hostCount(wire[metrics]) : ownCount(family, wire, choices);
  const usage = compact(counted);
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** What the host counts. */
export const hostCount = (counts: Readonly<Fields>): Usage =>
  compact({
    inputTokens: tokenCount(counts.inputTokenCount),
    outputTokens: tokenCount(counts.outputTokenCount),
  });

function ownCount({ counts }: Family, wire: Readonly<Fields>, choices: readonly Readonly<Fields>[]): Usage {
  if (!counts) return {};
  const places = counts.perChoice ? choices : [wire];
  return compact({
    inputTokens: countOf(valueAt(wire, counts.input)),
    outputTokens: totalOf(...places.map((place) => countOf(valueAt(place, counts.output)))),
  });
}

/** Tokens themselves are counted. */
const countOf = (value: unknown): number | undefined => (Array.isArray(value) ? value.length : tokenCount(value));

/** The host's count, as the vendor writes it. */
export const encodeUsage = ({ inputTokens, cacheReadTokens, cacheWriteTokens, ...usage }: Usage): Fields => ({
  [metrics]: compact({
    inputTokenCount: totalOf(inputTokens, cacheReadTokens, cacheWriteTokens),
    outputTokenCount: usage.outputTokens === undefined ? undefined : sumOf(usage.outputTokens, usage.reasoningTokens),
  }),
});
