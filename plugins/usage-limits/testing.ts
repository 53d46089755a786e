import { silentLogger } from "../../core/log.ts";
import { Accounts, type AccountsInput } from "./accounts.ts";
import type { Budget } from "./budgets.ts";

type Given = Pick<AccountsInput, "counters" | "ledger" | "now"> & Partial<AccountsInput>;

/** The accounts of a process that counts. For tests. */
export function serving(given: Given): Accounts {
  const accounts = new Accounts({ log: silentLogger, settleInterval: 0, crossed: () => undefined, ...given });
  accounts.serve();
  return accounts;
}

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
