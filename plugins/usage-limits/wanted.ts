import {
  type Attempt,
  type Claim,
  type CountersService,
  callsOf,
  type Decided,
  type Exchange,
  type Settlement,
  slot,
  whenFailed,
  whenGivenUp,
} from "../../core/index.ts";
import type { Account } from "./account.ts";
import { type Charged, chargedAtTarget } from "./charged.ts";
import { usageOf } from "./expectations.ts";

/** Room to be made in an account, and what it belongs to. */
export interface Wanted {
  readonly account: Account;
  readonly claim: Claim;
  /** Under which name it is settled, whether or not anything can be held yet. */
  readonly hold: string;
  readonly charged: Charged;
}

/** What is held for the target an exchange is at. */
export const heldAtTarget = slot<
  Exchange,
  { readonly attempt: Attempt; readonly wanted: readonly Wanted[]; readonly by: CountersService } | undefined
>("room held at a target");

/** What is claimed of an account: so much, held until it is settled, or that there is any left where nobody knows how much it will be. */
export const claimOf = (
  { key, expiresAt, budget: { limit } }: Account,
  amount: bigint | undefined,
  hold: NonNullable<Claim["hold"]>,
): Claim =>
  amount === undefined
    ? { key, rule: "below", limit, amount: 0n, expiresAt }
    : { key, rule: "within", limit, amount, expiresAt, hold };

export const claimIn = ({ claim }: Wanted): Claim => claim;
export const accountIn = ({ account }: Wanted): Account => account;

/** Whether room for it is given back where nobody answered: a request that was sent is one all the same. */
export const isNoRequest = ({ account }: Wanted): boolean => account.budget.type !== "requests";

/**
 * Gives back the room of one that runs beside others when it is left: what is held for a rival that lost comes to nothing, but
 * that it was called; and so does what is held for one that failed and used nothing. Who goes on may take its time.
 */
export function whenLeft(
  exchange: Exchange,
  holder: Exchange | Attempt,
  wanted: readonly Wanted[],
  letGo: (room: readonly Wanted[]) => void,
): void {
  if (!("target" in holder)) return;
  const calls = () => callsOf(exchange.attempts, exchange.attempts.indexOf(holder));
  const unused = (all: readonly Wanted[]) => (calls().some(isSent) ? all.filter(isNoRequest) : all);
  whenGivenUp(exchange, () => letGo(unused(wanted)));
  whenFailed(exchange, () => {
    // Tokens of the whole request go on to whoever takes its place; its cost is made room for there.
    const own = wanted.filter(({ account, hold }) => hold !== exchange.id || account.budget.type === "cost");
    if (!calls().some(usageOf)) letGo(unused(own));
  });
}

/** A call that was sent is one, whoever answers. */
const isSent = ({ sentAt }: Attempt): boolean => sentAt !== undefined;

/**
 * What a target that is left holds for itself and will not use. Its request is counted when it was sent; room of the whole
 * request goes on to the next target.
 */
export function roomOfLeft(attempts: readonly Attempt[], left: Attempt, wanted: readonly Wanted[]): readonly Wanted[] {
  const calls = callsOf(attempts, attempts.indexOf(left));
  if (calls.some(usageOf)) return [];
  const isCalled = calls.some(isSent);
  const own = chargedAtTarget.get(left);
  return wanted.filter((one) => one.charged === own && !(isCalled && !isNoRequest(one)));
}

/** Whether a counter says less, but for what was just raised, than it had said before it was asked. */
export const isLost = (
  { claim }: Wanted,
  { granted, totals }: Decided["claimed"],
  at: number,
  known: bigint,
): boolean => (totals[at] ?? 0n) - (granted ? claim.amount : 0n) < known;

/** What gives back all that is held, and uses none of it. */
export function lettingGo(wanted: readonly Wanted[]): Settlement[] {
  const held: Settlement[] = [];
  for (const { claim } of wanted) {
    const { key, expiresAt, hold } = claim;
    if (hold) held.push({ key, amount: 0n, expiresAt, hold: hold.id });
  }
  return held;
}
