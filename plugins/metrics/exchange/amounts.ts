import { type Attempt, type Exchange, totalTokens } from "../../../core/index.ts";

/** Tokens in and out together; undefined where nobody reported any. What only counts tokens uses none. */
export function tokensOf({ usage, endpoint }: Exchange): number | undefined {
  return endpoint.operation === "count" ? undefined : totalTokens(usage);
}

/**
 * Calls whose cost is counted elsewhere, where they pass as they came (observability.md section 16.3); what a batch job cost is
 * counted nowhere but where the gateway learns of it.
 */
const countedElsewhere = /\/(?:files|batches|threads)(?:[/?]|$)/;

/** US dollars; undefined where the cost is not known. */
export function dollarsOf({ cost, endpoint, url, attempt }: Exchange): number | undefined {
  if (cost?.amount === undefined) return undefined;
  if (!endpoint.operation && !attempt?.job && countedElsewhere.test(url)) return undefined;
  return Number(cost.amount);
}

/** Whether a provider answered something that has a price, and nobody knows which. */
export const isUnpriced = ({ cost, endpoint, ending }: Exchange, answering: Attempt | undefined): boolean =>
  cost?.amount === undefined &&
  endpoint.operation !== undefined &&
  endpoint.operation !== "count" &&
  answering?.sentAt !== undefined &&
  (answering.outcome?.ok === true || ending === "truncated");
