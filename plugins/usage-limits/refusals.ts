import { type Exchange, limitExceeded, refusalReason } from "../../core/index.ts";
import type { Account } from "./account.ts";
import { amountInWords, shownAmount, wordingOf } from "./budgets.ts";

/**
 * The 412 of a budget that is used up, or has less left than the request is expected to use; `current` is what is counted,
 * and held.
 */
export function budgetExceeded(account: Account, current: bigint, now: number, expected?: bigint): Error {
  const { budget, endsAt } = account;
  const { type, limit, level, subject, policy } = budget;
  return limitExceeded(
    {
      kind: "usage",
      level,
      subject,
      wording: wordingOf(budget),
      type,
      limit: shownAmount(type, limit),
      current: shownAmount(type, current),
      beyond: beyondOf(account, current, expected),
      resetsAt: endsAt,
      ...(policy && { policy }),
    },
    now,
  );
}

/** Of a budget that is not used up it is the request that is too large: nobody finds what it is by its being reached. */
function beyondOf({ budget: { type, limit } }: Account, current: bigint, expected: bigint | undefined) {
  if (expected === undefined || current >= limit) return undefined;
  return {
    expected: shownAmount(type, expected),
    wording: amountInWords(type, expected),
    left: amountInWords(type, limit - current),
  };
}

/** Headers about a budget, by name without prefix (policies.md section 10.3). */
export function headersOf({ budget, endsAt }: Account, current: bigint): Record<string, string> {
  const left = budget.limit > current ? budget.limit - current : 0n;
  return {
    "usage-limit": `${shownAmount(budget.type, budget.limit)}`,
    "usage-remaining": `${shownAmount(budget.type, left)}`,
    "usage-reset": endsAt === undefined ? "never" : new Date(endsAt).toISOString(),
  };
}

/** What is told of a refusal, or of the budget there is least left of, where that is less than a tenth. */
export function tell(holder: Pick<Exchange, "told">, account: Account, current: bigint, refused: boolean): void {
  const told = headersOf(account, current);
  if (refused) told["limit-source"] = refusalReason({ kind: "usage", level: account.budget.level });
  holder.told = Object.assign(holder.told ?? {}, told);
}

export function tightestOf(accounts: readonly Account[]): Account | undefined {
  let tightest: Account | undefined;
  let least = 0.1;
  for (const account of accounts) {
    const { limit } = account.budget;
    const share = limit > 0n ? Number(limit - account.total) / Number(limit) : 0;
    if (share >= least) continue;
    least = share;
    tightest = account;
  }
  return tightest;
}
