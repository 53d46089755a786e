import { type Attempt, callsOf, type Exchange, picodollarsOf, totalTokens } from "../../core/index.ts";
import type { Account } from "./account.ts";
import type { Accounts } from "./accounts.ts";
import { type Charged, chargedAtAdmission, chargedAtTarget } from "./charged.ts";

/** Counts what a request has used when it is over (policies.md section 5.4). */
export function charging(accounts: Accounts, shadowed: (exchange: Exchange) => Promise<readonly Account[]>) {
  return (exchange: Exchange): undefined | Promise<unknown> => {
    const { attempts } = exchange;
    if (exchange.role === "shadow") void chargeShadow(exchange);
    const work: Promise<void>[] = [];
    const admitted = chargedAtAdmission.get(exchange);
    if (admitted) charge(work, admitted, attempts, isAnswered(exchange) ? 1n : 0n);
    for (const [at, attempt] of attempts.entries()) {
      const met = chargedAtTarget.get(attempt);
      if (met) charge(work, met, callsOf(attempts, at), attempt.call ? 1n : 0n);
    }
    return work.length > 0 ? Promise.all(work) : undefined;
  };

  function charge(work: Promise<void>[], charged: Charged, attempts: readonly Attempt[], requests: bigint): void {
    const { group, hold, held, by } = charged;
    const settled: { account: Account; amount: bigint; hold: string }[] = [];
    for (const account of charged.accounts) {
      const amount = amountOf(account, attempts, requests);
      if (held.has(account)) settled.push({ account, amount, hold });
      else accounts.add(account, amount);
    }
    if (settled.length === 0) return;
    work.push(accounts.settle(group, settled, hold));
    // What was held elsewhere, while the store was away, is let go there.
    if (by && !accounts.isStore(by)) {
      const entries = settled.map(({ account }) => ({
        key: account.key,
        amount: 0n,
        expiresAt: account.expiresAt,
        hold,
      }));
      void by.settle(group, entries);
    }
  }

  /** A copy of a request costs as much as the request; it was let in with it. */
  async function chargeShadow(exchange: Exchange): Promise<void> {
    for (const account of await shadowed(exchange)) accounts.add(account, amountOf(account, exchange.attempts, 0n));
  }
}

/** Answered by an upstream or by the cache: what was refused on the way is none. */
const isAnswered = ({ attempts, answer, cacheStatus }: Exchange): boolean =>
  attempts.some(({ call }) => call !== undefined) || answer !== undefined || cacheStatus?.endsWith("HIT") === true;

/** What nobody knows counts as nothing: a budget cannot be used up by what has no price. */
function amountOf({ budget: { type } }: Account, attempts: readonly Attempt[], requests: bigint): bigint {
  if (type === "requests") return requests;
  let amount = 0n;
  for (const { usage, cost } of attempts)
    amount += type === "tokens" ? BigInt(totalTokens(usage) ?? 0) : cost?.amount ? picodollarsOf(cost.amount) : 0n;
  return amount;
}
