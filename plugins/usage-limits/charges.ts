import {
  type Attempt,
  budgeted,
  callsOf,
  countedTokens,
  type Exchange,
  mostCounted,
  picodollarsOf,
} from "../../core/index.ts";
import type { Account } from "./account.ts";
import type { Accounts, Spending } from "./accounts.ts";
import { isHard } from "./budgets.ts";
import { type Charged, chargedAtAdmission, chargedAtTarget } from "./charged.ts";

/** Counts what a request has used when it is over (policies.md section 5.4). */
export function charging(accounts: Accounts) {
  return (exchange: Exchange): undefined | Promise<unknown> => {
    const { attempts } = exchange;
    let work: Promise<void>[] | undefined;
    const admitted = chargedAtAdmission.get(exchange);
    if (admitted) work = charge(work, admitted, attempts, isAnswered(exchange) ? admitted.requests : 0n);
    for (let at = 0; at < attempts.length; at++) {
      const attempt = attempts[at] as Attempt;
      const met = chargedAtTarget.get(attempt);
      if (met) work = chargeTarget(work, met, callsOf(attempts, at));
    }
    return work && Promise.all(work);
  };

  /** Of a first call that could not be made its retry may have been: the target was called all the same. */
  function chargeTarget(work: Promise<void>[] | undefined, met: Charged, calls: readonly Attempt[]) {
    return charge(work, met, calls, calls.some(({ sentAt }) => sentAt !== undefined) ? 1n : 0n);
  }

  function charge(
    work: Promise<void>[] | undefined,
    charged: Charged,
    attempts: readonly Attempt[],
    requests: bigint,
  ): Promise<void>[] | undefined {
    const { group, holds, there, alone } = charged;
    const first = holds[0];
    const settled: Spending[] = [];
    for (const account of charged.accounts) {
      const amount = amountOf(account, attempts, charged.opened.includes(account) ? 0n : requests);
      // What became soft meanwhile may hold room all the same.
      if (first === undefined || !(isHard(account) || account.hasHeld)) accounts.add(account, amount);
      else {
        settled.push({ account, amount, hold: first });
        for (let at = 1; at < holds.length; at++) settled.push({ account, amount: 0n, hold: holds[at] as string });
      }
    }
    if (first === undefined) return work;
    if (alone)
      void alone.settle(
        group,
        settled.map(({ account: { key, expiresAt }, hold }) => ({ key, amount: 0n, expiresAt, hold })),
      );
    // Rates are settled under the same ids.
    const done = accounts.settle(group, settled, `usage ${first}`, there);
    if (!done) return work;
    if (!work) return [done];
    work.push(done);
    return work;
  }
}

/** A socket that is open is a request by now: it may stay open for hours, and others come meanwhile. */
export function countOpened(accounts: Accounts, session: Exchange): void {
  for (const charged of [chargedAtAdmission.get(session), session.attempt && chargedAtTarget.get(session.attempt)]) {
    if (!charged) continue;
    for (const account of charged.accounts) {
      // Hard ones hold room for it.
      if (!isSoftRequests(account) || charged.opened.includes(account)) continue;
      charged.opened.push(account);
      accounts.add(account, charged.requests);
    }
  }
}

const isSoftRequests = (account: Account): boolean => account.budget.type === "requests" && !isHard(account);

/** An upstream answered, with an error too, or the cache did: what was refused, denied or dropped on the way is no request. */
const isAnswered = ({ attempts, cacheStatus }: Exchange): boolean =>
  attempts.some(({ headersAt }) => headersAt !== undefined) || cacheStatus?.endsWith("HIT") === true;

/** What nobody knows counts as nothing: a budget cannot be used up by what has no price. */
export function amountOf({ budget: { type } }: Account, attempts: readonly Attempt[], requests: bigint): bigint {
  if (type === "requests") return requests;
  let amount = 0n;
  for (const { usage, cost } of attempts) {
    const dollars = budgeted(cost);
    amount += type === "tokens" ? countedTokens(usage) : dollars ? picodollarsOf(dollars) : 0n;
  }
  return amount < mostOfOne ? amount : mostOfOne;
}

/** A billion dollars: what a vendor says beyond that is its mistake, and counts as a number that counters can add up. */
const mostOfOne = mostCounted / 1_000_000n;
