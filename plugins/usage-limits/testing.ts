import type { Budget } from "./budgets.ts";

/** A soft monthly budget of 1,000 tokens of a key. For tests. */
export const budget = (more: Partial<Budget> = {}): Budget => ({
  base: "usage:api_key:K1:tokens",
  type: "tokens",
  limit: 1000n,
  alert: undefined,
  version: undefined,
  period: { cadence: "monthly", next: undefined, since: 0, weekStart: 0 },
  resetAt: undefined,
  enforcement: "soft",
  level: "api_key",
  id: "K1",
  onStoreError: undefined,
  subject: "K1",
  ...more,
});
