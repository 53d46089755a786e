import type { CountersService } from "../../core/index.ts";
import { type Account, keyIn } from "./account.ts";
import type { Ledger } from "./ledger.ts";

export interface RestorerInput {
  readonly counters: CountersService;
  readonly ledger: Ledger | undefined;
  readonly now: () => number;
  /** Whether this process may write: one that is only looked at changes nothing. */
  readonly serving: () => boolean;
}

/** More than any counter holds. */
const anything = 10n ** 27n;
const mostTries = 20;

/**
 * Learns accounts from their records and their counters. A counter that says less than it once did, or than its record, was
 * lost (a store that began empty, a replica that was behind), and is put right: once, however many processes notice.
 */
export class Restorer {
  readonly #input: RestorerInput;
  readonly #running = new Map<Account, Promise<void>>();
  readonly #next = new Map<Account, Promise<void>>();

  constructor(input: RestorerInput) {
    this.#input = input;
  }

  /** All who ask before it begins share it; one that runs already may have seen less than they know. */
  restore(account: Account): Promise<void> {
    const known = this.#next.get(account);
    if (known) return known;
    const running = this.#running.get(account);
    const begin = () => {
      this.#next.delete(account);
      const restoring = this.#restore(account).finally(() => {
        if (this.#running.get(account) === restoring) this.#running.delete(account);
      });
      this.#running.set(account, restoring);
      return restoring;
    };
    if (!running) return begin();
    const next = running.then(begin, begin);
    this.#next.set(account, next);
    return next;
  }

  async #restore(account: Account): Promise<void> {
    const { counters, ledger, now } = this.#input;
    const record = await ledger?.read(account);
    const reset = record?.document.last_reset_at ?? "";
    if (reset > account.resetAt) {
      account.resetAt = reset;
      account.turn(account.budget, now());
    }
    if (record?.document.period) account.learn(record.document.period, now());
    const found = record && ledger?.totalFor(account, record.document, now());
    const kept = found ?? 0n;
    account.kept = kept;
    account.record = record;
    const epoch = found === undefined ? account.epoch : record?.document.epoch;
    const before = epoch === account.epoch ? undefined : epoch;
    if (counters.available) return this.#compare(account, before);
    account.doubtful = true;
    if (kept > account.known) account.known = kept;
  }

  /** `before` is the period that goes on under a new name. */
  async #compare(account: Account, before: string | undefined): Promise<void> {
    const { counters, serving } = this.#input;
    const { key, group, base } = account;
    const keys = [key, markOf(key), ...(before === undefined ? [] : [keyIn(base, before)])];
    for (let time = 0; time < mostTries; time++) {
      const known = largest(account.known, account.kept);
      const least = largest(known, account.atLeast);
      const [there = 0n, mark = 0n, carried = 0n] = await counters.read(group, keys);
      // A period began meanwhile: whoever turned the account looks at the new one.
      if (account.key !== key) return;
      const wanted = largest(least, carried);
      const isWhole = there >= wanted;
      if ((isWhole && mark > 0n) || !serving()) return learned(account, there);
      // One that began empty has only what was told to it since: all that was known comes on top.
      const missing = isWhole ? 0n : mark === 0n ? largest(known, carried) : wanted - there;
      const { expiresAt } = account;
      const { granted } = await counters.claim(group, [
        // Whoever raises the mark first puts the counter right; the others look again.
        { key: markOf(key), rule: "within", limit: mark + 1n, amount: 1n, expiresAt },
        { key, rule: "within", limit: anything, amount: missing, expiresAt },
      ]);
      if (account.key !== key) return;
      if (granted) return learned(account, there + missing);
    }
  }
}

/** Counts how often a counter was begun or put right; lost with it. */
const markOf = (key: string): string => `${key} restored`;

const largest = (one: bigint, other: bigint): bigint => (one > other ? one : other);

function learned(account: Account, total: bigint): void {
  account.known = largest(account.known, total);
  account.atLeast = 0n;
  account.doubtful = false;
}
