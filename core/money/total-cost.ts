import type { Attempt } from "../model/attempt.ts";
import type { Cost } from "../model/usage.ts";
import { dollarsText, type Picodollars, picodollarsOf } from "./money.ts";

/** What nobody knows a price for. */
export const unknownCost: Cost = Object.freeze({ currency: "USD", source: "none" });
/** What nobody was asked for. */
export const noCost: Cost = Object.freeze({ amount: "0", currency: "USD", source: "none" });

/** What budgets count of a cost, in dollars; undefined where nothing is known of it. */
export const budgeted = (cost: Cost | undefined): string | undefined => cost?.amount ?? cost?.atLeast ?? cost?.atMost;

/** Adds up what calls cost, exactly: unknown as soon as one of them is. Its source is that of the last one with a price. */
export class CostSum {
  #sum: Picodollars = 0n;
  #source = "none";
  #estimated = false;
  #known = true;

  add(cost: Cost): void {
    const { amount, source, estimated } = cost;
    if (amount === undefined) {
      this.#known = false;
      const counted = budgeted(cost);
      if (counted !== undefined) this.#sum += picodollarsOf(counted);
      return;
    }
    this.#sum += picodollarsOf(amount);
    if (source !== "none") this.#source = source;
    this.#estimated ||= estimated === true;
  }

  /** What budgets count of it, whatever else there is. */
  get budgeted(): string {
    return dollarsText(this.#sum);
  }

  get total(): Cost {
    if (!this.#known) return unknownCost;
    const total = { amount: dollarsText(this.#sum), currency: "USD", source: this.#source } as const;
    return this.#estimated ? { amount: total.amount, currency: "USD", source: total.source, estimated: true } : total;
  }
}

/** What some attempts cost together. Of a single one it is the cost it has. */
export function totalCost(attempts: readonly Pick<Attempt, "cost">[]): Cost {
  if (attempts.length === 1) return attempts[0]?.cost ?? unknownCost;
  const sum = new CostSum();
  for (const { cost = unknownCost } of attempts) sum.add(cost);
  return sum.total;
}
