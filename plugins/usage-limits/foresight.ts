import { type Exchange, type Foretold, foretell, notKnownHere } from "../../core/index.ts";
import type { Account } from "./account.ts";
import { shownAmount, wordingOf } from "./budgets.ts";
import type { Knowledge } from "./knowledge.ts";
import { budgetExceeded } from "./refusals.ts";

/** A budget a request would meet. */
export interface Foreseen extends Knowledge {
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

function foretold({ account, amount = 0n, elsewhere, late }: Foreseen, now: number): Foretold {
  const { budget } = account;
  const total = elsewhere === undefined ? account.total : 0n;
  const { level, subject, type, limit, policy, enforcement } = budget;
  // What is more than all of it is refused whatever is used.
  const isUsedUp = total >= limit || total + amount > limit;
  const counter = policy ? ` as ${policy.valueKey}` : "";
  const verdict = isUsedUp ? "would be refused" : "lets it through";
  const isTooLarge = isUsedUp && total < limit && elsewhere === undefined;
  const left = isTooLarge ? `, ${shownAmount(type, limit - total)} left` : "";
  const expected = amount > 0n && type !== "requests" ? `, ${shownAmount(type, amount)} expected${left}` : "";
  const met = `${enforcement} budget of ${level} ${subject} (${wordingOf(budget)})`;
  if (elsewhere !== undefined && !isUsedUp)
    return { message: `${met}: ${notKnownHere(`what is used${counter}`, elsewhere)}${expected}`, known: false };
  const used = elsewhere === undefined ? `${shownAmount(type, total)} used` : "whatever is used";
  const by = late ? " when its record was last written" : "";
  return {
    message: `${met}: ${used}${counter}${by}${expected}, ${verdict}`,
    refusal: isUsedUp ? budgetExceeded(account, total, now, amount) : undefined,
  };
}
