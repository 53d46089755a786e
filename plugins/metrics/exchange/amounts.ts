import { type Attempt, type Exchange, totalTokens } from "../../../core/index.ts";

/** What was used, and what it cost: by an attempt, or by an exchange that has none. */
type Spender = Pick<Attempt, "usage" | "cost" | "job" | "batch">;

/** Tokens in and out together; undefined where nobody reported any. What only counts tokens uses none. */
export function tokensOf({ endpoint }: Exchange, { usage }: Spender): number | undefined {
  return endpoint.operation === "count" ? undefined : totalTokens(usage);
}

/**
 * Calls whose cost is counted elsewhere, where they pass as they came (observability.md section 16.3); what a batch job cost is
 * counted nowhere but where the gateway learns of it, and by what it accounts for.
 */
const countedElsewhere = /\/(?:files|batches|threads)(?:[/?]|$)/;

const isCountedElsewhere = ({ endpoint, url }: Exchange, { job, batch }: Pick<Attempt, "job" | "batch">): boolean =>
  !endpoint.operation && !job && !batch && countedElsewhere.test(url);

/** US dollars; undefined where the cost is not known. */
export function dollarsOf(exchange: Exchange, spender: Spender): number | undefined {
  const { cost } = spender;
  return cost?.amount === undefined || isCountedElsewhere(exchange, spender) ? undefined : Number(cost.amount);
}

/**
 * The calls at which a provider did something that has a price, and nobody knows which: as whoever prices says, of raw calls and of
 * jobs that others learn of, too; the one that answered, where that is said of the exchange alone. Where nobody prices, it is
 * whatever was answered by a model.
 */
export function unpricedIn(exchange: Exchange, answering: Attempt | undefined): readonly Attempt[] {
  const { cost, endpoint, ending, attempts } = exchange;
  if (!answering || cost?.amount !== undefined || endpoint.operation === "count") return none;
  if (cost) {
    const unknown = attempts.filter((attempt) => attempt.cost && attempt.cost.amount === undefined);
    return (unknown.length > 0 ? unknown : [answering]).filter((attempt) => !isCountedElsewhere(exchange, attempt));
  }
  if (endpoint.operation === undefined || answering.sentAt === undefined) return none;
  return answering.outcome?.ok === true || ending === "truncated" ? [answering] : none;
}

const none: readonly Attempt[] = [];
