import { type Exchange, type Foretold, foretell } from "../../core/index.ts";
import type { Account } from "./account.ts";
import { shownAmount, wordingOf } from "./budgets.ts";
import { budgetExceeded } from "./refusals.ts";

/** Tells which budgets a request would meet and how much of each is used, and throws what it would be refused with. */
export const foresee = (exchange: Exchange, accounts: readonly Account[], now: number): void =>
  foretell(
    exchange,
    accounts.map((account) => foretold(account, now)),
  );

function foretold(account: Account, now: number): Foretold {
  const { budget, total } = account;
  const { level, subject, type, limit, policy, enforcement } = budget;
  const isUsedUp = total >= limit;
  const counter = policy ? ` as ${policy.valueKey}` : "";
  const verdict = isUsedUp ? "would be refused" : "lets it through";
  const used = `${shownAmount(type, total)} used${counter}`;
  return {
    message: `${enforcement} budget of ${level} ${subject} (${wordingOf(budget)}): ${used}, ${verdict}`,
    refusal: isUsedUp ? budgetExceeded(account, total, now) : undefined,
  };
}
