import type { Attempt, Exchange, Usage } from "../../../core/index.ts";

/** Disjoint buckets of tokens, all of which count. */
const tokens: readonly (keyof Usage)[] = [
  "inputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "inputAudioTokens",
  "outputTokens",
  "reasoningTokens",
  "outputAudioTokens",
];

/** Tokens in and out together; undefined where nobody reported any. What only counts tokens uses none. */
export function tokensOf({ usage, endpoint }: Exchange): number | undefined {
  if (!usage || endpoint.operation === "count") return undefined;
  let total: number | undefined;
  for (const bucket of tokens) {
    const count = usage[bucket];
    if (count !== undefined) total = (total ?? 0) + count;
  }
  return total;
}

/** Calls whose cost is counted elsewhere, where they pass as they came (observability.md section 16.3). */
const countedElsewhere = /\/(?:files|batches|threads)(?:[/?]|$)/;

/** US dollars; undefined where the cost is not known. */
export function dollarsOf({ cost, endpoint, url }: Exchange): number | undefined {
  if (cost?.amount === undefined || (!endpoint.operation && countedElsewhere.test(url))) return undefined;
  return Number(cost.amount);
}

/** Whether a provider answered something that has a price, and nobody knows which. */
export const isUnpriced = ({ cost, endpoint }: Exchange, answering: Attempt | undefined): boolean =>
  cost?.amount === undefined &&
  endpoint.operation !== undefined &&
  endpoint.operation !== "count" &&
  answering?.sentAt !== undefined &&
  answering.outcome?.ok === true;
