import { type Exchange, type Foretold, foretell } from "../../core/index.ts";
import type { Account } from "./account.ts";
import { shownAmount, wordingOf } from "./budgets.ts";
import { budgetExceeded } from "./refusals.ts";

/** A budget a request would meet. */
export interface Foreseen {
  readonly account: Account;
  /** What room would be made for, where it is hard and that is known. */
  readonly amount?: bigint | undefined;
}

/** Tells which budgets a request would meet and how much of each is used, and throws what it would be refused with. */
export const foresee = (exchange: Exchange, foreseen: readonly Foreseen[], now: number): void =>
  foretell(
    exchange,
    foreseen.map((one) => foretold(one, now)),
  );

function foretold({ account, amount = 0n }: Foreseen, now: number): Foretold {
  const { budget, total } = account;
  const { level, subject, type, limit, policy, enforcement } = budget;
  const isUsedUp = total >= limit || total + amount > limit;
  const counter = policy ? ` as ${policy.valueKey}` : "";
  const verdict = isUsedUp ? "would be refused" : "lets it through";
  const isTooLarge = isUsedUp && total < limit;
  const left = isTooLarge ? `, ${shownAmount(type, limit - total)} left` : "";
  const expected = amount > 0n && type !== "requests" ? `, ${shownAmount(type, amount)} expected${left}` : "";
  const used = `${shownAmount(type, total)} used${counter}${expected}`;
  return {
    message: `${enforcement} budget of ${level} ${subject} (${wordingOf(budget)}): ${used}, ${verdict}`,
    refusal: isUsedUp ? budgetExceeded(account, total, now, amount) : undefined,
  };
}
