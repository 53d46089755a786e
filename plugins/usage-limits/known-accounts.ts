import { AgedMap, type Logger } from "../../core/index.ts";
import type { Account } from "./account.ts";
import type { Budget } from "./budgets.ts";
import { nameOf } from "./names.ts";

const refreshedFor = 60_000;
const forgottenAfter = 3_600_000;

/** The accounts that are at hand: those that were used within the hour, and what the counters may not have, as many as there is room for. */
export class KnownAccounts {
  readonly #log: Logger;
  readonly #most: number;
  readonly #accounts = new AgedMap<string, Account>();
  readonly #ofBudgets = new WeakMap<Budget, Account>();
  readonly #byId = new Map<string, Account>();
  /** Used within the last minute, or not told to the counters yet. */
  readonly #recent = new Set<Account>();
  #lamented = false;

  constructor({ log, most = 1_000_000 }: { readonly log: Logger; readonly most?: number | undefined }) {
    this.#log = log;
    this.#most = most;
  }

  get size(): number {
    return this.#accounts.size;
  }

  values(): IterableIterator<Account> {
    return this.#accounts.values();
  }

  recent(): Iterable<Account> {
    return this.#recent;
  }

  /** A budget is asked for again and again: its account is found by it, unless it is another group's, or was let go. */
  found(group: string, budget: Budget): Account | undefined {
    const last = this.#ofBudgets.get(budget);
    if (last && last.group === group && this.#accounts.get(last.name) === last) return last;
    const found = this.named(group, budget.base);
    if (found) this.#ofBudgets.set(budget, found);
    return found;
  }

  named(group: string, base: string): Account | undefined {
    return this.#accounts.get(nameOf(group, base));
  }

  withId(group: string, id: string): Account | undefined {
    return this.#byId.get(nameOf(group, id));
  }

  /** It will be at hand soon. What its record says may change until then. */
  learn(account: Account): Account {
    this.#byId.set(nameOf(account.group, account.id), account);
    return account;
  }

  use(account: Account, now: number): void {
    account.usedAt = now;
    this.#accounts.set(account.name, account);
    this.#recent.add(account);
  }

  /** Something of it is to be told: it is looked after until that is done. */
  await(account: Account): void {
    this.#recent.add(account);
  }

  /** Whether an account is looked after no longer, as all of it is told and nobody has used it lately. */
  isLeft(account: Account, now: number): boolean {
    const isLeft = !isUntold(account) && now - account.usedAt > refreshedFor;
    if (isLeft) this.#recent.delete(account);
    return isLeft;
  }

  /**
   * Lets go of accounts nobody has used for long, and of the oldest beyond so many. What no record has yet, as those are away,
   * stays: counters may end with this process, or have it under a name that nobody else knows.
   */
  forget(now: number): void {
    for (;;) {
      const oldest = this.#accounts.oldest;
      const account = oldest === undefined ? undefined : this.#accounts.get(oldest);
      if (oldest === undefined || !account) return;
      const untold = isUntold(account);
      const isTooMany = this.#accounts.size > this.#most;
      if (!isTooMany && (untold || now - account.usedAt <= forgottenAfter)) return;
      if (!isTooMany && isUnkept(account)) {
        // It is looked at again when it would be had it been used now: there may be many.
        account.usedAt = now;
        this.#accounts.set(oldest, account);
        continue;
      }
      if (untold && !this.#lamented)
        this.#log.warn("there are too many budgets to count: what was used of the oldest is dropped", {
          most: this.#most,
        });
      this.#lamented ||= untold;
      this.#accounts.delete(oldest);
      account.isForgotten = true;
      this.#byId.delete(nameOf(account.group, account.id));
      this.#recent.delete(account);
    }
  }
}

/** Whether there is something of an account that the counters may not have. */
export const isUntold = ({ unsent, sent }: Account): boolean => unsent !== 0n || sent !== 0n;

/** Whether the counters have said something of it that its record does not say. */
const isUnkept = ({ known, kept }: Account): boolean => known !== kept;
