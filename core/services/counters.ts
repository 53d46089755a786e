import { serviceToken } from "../service-token.ts";

/**
 * Counters that several requests, and where they are shared several processes, race for. Amounts are whole numbers of
 * whatever is counted; what would take a counter to 10^27 or beyond, either way, is a RangeError and changes nothing. A
 * counter nobody has raised is zero, and one whose time is over is forgotten, with all that is held on it.
 *
 * Counters live in groups (an organisation's): what is done in one call is one step, and one group lies in one place.
 * Methods answer at once where the counters are in this process. They reject with a `CountersError` only when `available`
 * was true and the store failed meanwhile; while it is false they reject at once. A call that was too slow may still be
 * done: it is safe to repeat a claim whose amounts are held, and a step that is done once.
 */
export interface CountersService {
  /** Who sees the same counters. */
  readonly shared: "process" | "machine" | "deployment";
  /** False while the store is known to be down. */
  readonly available: boolean;
  /** Unix milliseconds by the clock that all who share the counters go by. */
  now(): number;
  /** All claims hold and all are raised, or none is: then the first that does not hold is named. */
  claim(group: string, claims: readonly Claim[]): Claimed | Promise<Claimed>;
  /**
   * Ends holds and raises counters; the totals afterwards, without what is held, in the order of the entries. With `once`
   * the same step is done once, however often it is asked for within ten minutes; each time the totals are answered that it
   * led to.
   */
  settle(group: string, entries: readonly Settlement[], once?: string): readonly bigint[] | Promise<readonly bigint[]>;
  /** Totals without what is held. */
  read(group: string, keys: readonly string[]): readonly bigint[] | Promise<readonly bigint[]>;
  /** Puts counters to a value, holds aside: for what is known from elsewhere, and to begin anew. */
  put(group: string, entries: readonly CounterValue[]): void | Promise<void>;
}

/** One limit a request has to stay within. */
export interface Claim {
  /** Names the counter within its group, window or period included. */
  readonly key: string;
  readonly limit: bigint;
  /** `below`: what is there, held amounts included, is less than the limit. `within`: it is at most that with `amount` on top. */
  readonly rule: "below" | "within";
  /** What the counter is raised by, never less than 0; 0 only looks. */
  readonly amount: bigint;
  /**
   * The amount is only held, until it is settled or until that moment (Unix milliseconds): an estimate of what is to come. It
   * takes the place of what is held on the counter under the same id.
   */
  readonly hold?: { readonly id: string; readonly until: number };
  /** When the counter may be forgotten, Unix milliseconds; later of this and what it had. */
  readonly expiresAt: number;
  /**
   * A share (0 to 1) of another counter counts too, held amounts included: of the window before, where windows slide. It is
   * taken to a millionth and rounded down.
   */
  readonly carry?: { readonly key: string; readonly share: number };
}

export type Claimed =
  | {
      readonly granted: true;
      /** When, Unix milliseconds by the clock of the counters: what is taken back later says so. */
      readonly claimedAt: number;
      /** What counted for each claim, held amounts and carried shares included, after all of them. */
      readonly totals: readonly bigint[];
    }
  | {
      readonly granted: false;
      /** Which claim did not hold. */
      readonly at: number;
      /** The same; nothing was raised. */
      readonly totals: readonly bigint[];
    };

export interface Settlement {
  readonly key: string;
  /** May be negative; 0 only lets go. */
  readonly amount: bigint;
  /**
   * The amount takes back what was claimed at that moment, Unix milliseconds: a counter that is not there, or began later (what was
   * claimed is lost, and was never in it), stays as it is.
   */
  readonly since?: number;
  /** When the counter may be forgotten, as in a claim. */
  readonly expiresAt: number;
  /** The hold of this id on the counter ends; one that is over already is no mistake. */
  readonly hold?: string;
}

export interface CounterValue {
  readonly key: string;
  readonly value: bigint;
  /** When the counter may be forgotten, as in a claim. */
  readonly expiresAt: number;
}

/** What is done when the store of the counters cannot be asked: this process counts alone, or what is limited is refused. */
export type OnStoreError = "local" | "deny";

/** The store of the counters could not be asked. */
export class CountersError extends Error {
  override readonly name = "CountersError";
}

/** Where requests, tokens and money are counted. */
export const Counters = serviceToken<CountersService>("counters");
