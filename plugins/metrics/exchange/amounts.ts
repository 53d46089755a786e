import { type Attempt, type Exchange, totalTokens } from "../../../core/index.ts";

/** What was used, and what it cost: by an attempt, or by an exchange that has none. */
type Spender = Pick<Attempt, "usage" | "cost" | "job">;

/** Tokens in and out together; undefined where nobody reported any. What only counts tokens uses none. */
export function tokensOf({ endpoint }: Exchange, { usage }: Spender): number | undefined {
  return endpoint.operation === "count" ? undefined : totalTokens(usage);
}

/**
 * Calls whose cost is counted elsewhere, where they pass as they came (observability.md section 16.3); what a batch job cost is
 * counted nowhere but where the gateway learns of it.
 */
const countedElsewhere = /\/(?:files|batches|threads)(?:[/?]|$)/;

/** US dollars; undefined where the cost is not known. */
export function dollarsOf({ endpoint, url }: Exchange, { cost, job }: Spender): number | undefined {
  if (cost?.amount === undefined) return undefined;
  if (!endpoint.operation && !job && countedElsewhere.test(url)) return undefined;
  return Number(cost.amount);
}

/** Whether a provider answered something that has a price, and nobody knows which. */
export const isUnpriced = ({ cost, endpoint, ending }: Exchange, answering: Attempt | undefined): boolean =>
  cost?.amount === undefined &&
  endpoint.operation !== undefined &&
  endpoint.operation !== "count" &&
  answering?.sentAt !== undefined &&
  (answering.outcome?.ok === true || ending === "truncated");
