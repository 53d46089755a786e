import { type CountersService, mostCounted } from "../../core/index.ts";
import type { Account } from "./account.ts";
import { largest, smallest } from "./amounts.ts";
import { resetIn } from "./epochs.ts";
import { type AccountDocument, type KeptAccount, untoldIn } from "./kept-account.ts";
import { hasPassed, isCalledOtherwise, type Ledger, learnt, momentOf } from "./ledger.ts";

export interface RestorerInput {
  readonly counters: CountersService;
  readonly ledger: Ledger | undefined;
  readonly now: () => number;
  /** Whether this process may write: one that is only looked at changes nothing. */
  readonly serving: () => boolean;
}

const mostTries = 20;

/**
 * Learns accounts from their records and their counters. A counter that says less than it once did, or than its record, was
 * lost (a store that began empty, a replica that was behind), and is put right: once, however many processes notice.
 */
export class Restorer {
  readonly #input: RestorerInput;
  readonly #running = new Map<Account, Promise<void>>();
  readonly #next = new Map<Account, Promise<void>>();
  /** Those whose period was to end earlier: their marks go by that until they are raised again. */
  readonly #prolonged = new WeakSet<Account>();

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
    const record = await this.#recordOf(account);
    const reset = record ? resetIn(record.document) : "";
    if (reset > account.lastReset) {
      account.resetAt = reset;
      account.turn(account.budget, now());
    }
    // What it is judged by may be of later than the last edit that was told of.
    if (record?.document.period) account.learnPeriod(record.document.period, now());
    const limits = record && learnt(account, record.document, now());
    if (limits) account.learnLimits(limits, now());
    if (record) this.#nameAs(account, record.document);
    const found = record ? ledger?.totalFor(account, record.document, now()) : await ledger?.carriedTo(account, now());
    account.left = record && found !== undefined ? untoldIn(record.document) : 0n;
    const kept = (found ?? 0n) - account.left;
    account.kept = kept;
    account.record = record;
    const { key } = account;
    try {
      if (counters.available) {
        await this.#compare(account);
        return await this.#tellLeft(account);
      }
    } catch (error) {
      if (account.key === key) this.#goBy(account, kept);
      throw error;
    }
    this.#goBy(account, kept);
  }

  /**
   * Without the counters what its record says was used at least; they are compared with that when they answer. What is owed an
   * answer may be in it.
   */
  #goBy(account: Account, kept: bigint): void {
    account.doubtful = true;
    account.known = largest(account.known, kept - account.late);
  }

  /** Where records are away, what the counters say is learnt all the same: so much was used at least. */
  async #recordOf(account: Account): Promise<KeptAccount | undefined> {
    const { counters, ledger } = this.#input;
    try {
      return await ledger?.read(account);
    } catch (error) {
      const { key, group } = account;
      const [there = 0n] = counters.available ? await counters.read(group, [key]) : [];
      if (account.key === key) account.doubt({ total: there });
      throw error;
    }
  }

  /** One period has one name: what its record says, if it is of this one. */
  #nameAs(account: Account, document: AccountDocument): void {
    const now = this.#input.now();
    if (account.isOver(now)) return;
    const { epoch, next_reset_at } = document;
    if (isCalledOtherwise(account, document, now)) account.adopt(epoch);
    else if (hasPassed(next_reset_at, now)) account.follow(epoch, `${next_reset_at}`);
    const end = momentOf(next_reset_at);
    if (epoch !== account.epoch || end === account.endsAt) return;
    account.renewed = true;
    if (end !== undefined && end < (account.endsAt ?? Number.POSITIVE_INFINITY)) this.#prolonged.add(account);
  }

  /** Tells the counter what it does not have of those that ended while it was away: counted once, whoever else tells it. */
  async #tellLeft(account: Account): Promise<void> {
    const { counters, ledger, serving } = this.#input;
    const { key, group, left, record } = account;
    if (left === 0n || !serving()) return;
    const told = new Set<string>();
    let said = 0n;
    for (const { id, amount } of record?.document.untold ?? []) {
      const [total = 0n] = await counters.settle(group, [account.settlement(BigInt(amount))], `${id} ${key}`);
      if (account.key !== key) return;
      account.left -= BigInt(amount);
      account.hear(total);
      said = largest(said, total);
      told.add(id);
    }
    await ledger?.told(account, told, said);
  }

  async #compare(account: Account): Promise<void> {
    const { counters, serving } = this.#input;
    const { key, group } = account;
    const keys = [key, markOf(key)];
    for (let time = 0; time < mostTries; time++) {
      const known = largest(account.known, account.kept);
      const least = largest(known, account.atLeast);
      const [there = 0n, mark = 0n] = await counters.read(group, keys);
      // A period began meanwhile: whoever turned the account looks at the new one.
      if (account.key !== key) return;
      const wanted = smallest(least, mostCounted - 1n);
      // One that has said less and has no mark began empty, however much has come to it since.
      const isWhole = there >= wanted && (mark > 0n || !account.saidLess);
      account.isMarked ||= mark > 0n;
      if (isWhole && mark > 0n && !this.#prolonged.has(account)) return account.learn(there);
      // Who only looks may have counters of its own, which are empty: what the record says was used, too.
      if (!serving()) return account.learn(largest(there, wanted));
      // It was lost. What is missing can say who has noticed, and is owed no answer: it is left to be found so.
      if (isWhole && mark === 0n && account.isMarked && (account.late > 0n || !account.doubtful)) {
        account.known = known;
        return;
      }
      // One that began empty has only what was told to it since: all that was known comes on top.
      const lost = mark === 0n ? known : wanted - there;
      const missing = isWhole ? 0n : smallest(lost, mostCounted - 1n - there);
      const { expiresAt } = account;
      const { granted } = await counters.claim(group, [
        // Whoever raises the mark first puts the counter right; the others look again.
        { key: markOf(key), rule: "within", limit: mark + 1n, amount: 1n, expiresAt },
        { key, rule: "within", limit: mostCounted, amount: missing, expiresAt },
      ]);
      if (account.key !== key) return;
      if (!granted) continue;
      account.isMarked = true;
      this.#prolonged.delete(account);
      return account.learn(there + missing);
    }
  }
}

/** Counts how often a counter was begun or put right; lost with it. */
const markOf = (key: string): string => `${key} restored`;
