import { inLanes, timerFor } from "../../core/index.ts";
import type { Account } from "./account.ts";
import type { Budget } from "./budgets.ts";
import type { Ledger } from "./ledger.ts";
import { type Crossed, passes } from "./written-account.ts";

export interface KeeperInput {
  readonly ledger: Ledger | undefined;
  readonly now: () => number;
  readonly crossed: (account: Account, what: Crossed) => void;
  /** Of an account that somebody has reset. */
  readonly restore: (account: Account) => Promise<void>;
  readonly trouble: (error: unknown) => void;
  /** What an account is to be judged by, where it was edited since it was last asked for with it. */
  readonly edited?: ((account: Account) => Budget | undefined | Promise<Budget | undefined>) | undefined;
  /** Milliseconds between two rounds of writes of what was settled. */
  readonly settleInterval: number;
}

/** Records that are written at the same time: a store keeps many in hardly more time than one. */
const atOnce = 32;

/** Writes of one record that are tried before the next round. */
const mostTries = 10;

/** Keeps what was used in the records: one write at a time of each account, with whatever was used meanwhile. */
export class Keeper {
  readonly #input: KeeperInput;
  #soon = new Set<Account>();
  #waiting = false;
  #savedAt = Number.NEGATIVE_INFINITY;
  readonly #running = new Map<Account, Promise<void>>();
  readonly #again = new Set<Account>();

  constructor(input: KeeperInput) {
    this.#input = input;
  }

  /** Whether limits were lowered below what its record says while nobody knew of it: so that it has to be told. */
  isUntold({ total, record, budget: { limit, alert } }: Account): boolean {
    if (!record) return false;
    const { threshold_sent, exhausted_sent } = record.document;
    return (total >= limit && !exhausted_sent) || (alert !== undefined && total >= alert && !threshold_sent);
  }

  /** Whether something was crossed since the account was kept last. */
  isCrossed({ total, kept, left, budget }: Account): boolean {
    return passes(kept + left, total, budget);
  }

  async sync(accounts: readonly Account[]): Promise<void> {
    const now = this.#input.now();
    // What was used in a period that is over is nobody's any more.
    for (const account of accounts) if (account.isOver(now)) account.turn(account.budget, now);
    const behind = accounts.filter(
      ({ known, kept, leaves, renewed, record }) => known !== kept || leaves || (renewed && record),
    );
    await inLanes(behind, atOnce, (account) => this.save(account));
  }

  /** Keeps one at once, or with whatever is used until it is time again. */
  saveSoon(account: Account): void {
    this.#soon.add(account);
    if (this.#waiting) return;
    this.#waiting = true;
    const wait = this.#savedAt + this.#input.settleInterval - performance.now();
    if (wait > 0) setTimeout(this.#saveAllSoon, timerFor(wait)).unref();
    else setImmediate(this.#saveAllSoon);
  }

  readonly #saveAllSoon = (): void => {
    this.#savedAt = performance.now();
    this.#waiting = false;
    const soon = this.#soon;
    this.#soon = new Set();
    void this.sync([...soon]);
  };

  save(account: Account): Promise<void> {
    const running = this.#running.get(account);
    if (running) {
      this.#again.add(account);
      return running;
    }
    const saving = this.#saveAll(account).finally(() => this.#running.delete(account));
    this.#running.set(account, saving);
    return saving;
  }

  /** Keeps an edit, after what is being written. */
  async edit(account: Account): Promise<void> {
    await this.#running.get(account);
    await this.#save(account, true);
  }

  async #saveAll(account: Account): Promise<void> {
    do {
      this.#again.delete(account);
      try {
        await this.#save(account);
      } catch (error) {
        this.#input.trouble(error);
      }
    } while (this.#again.has(account));
  }

  async #save(account: Account, isEdit = false): Promise<void> {
    const { ledger, crossed, restore, edited, now } = this.#input;
    if (!ledger) {
      account.kept = account.known;
      return;
    }
    const asked = edited?.(account);
    const latest = asked instanceof Promise ? await asked : asked;
    if (latest) account.turn(latest, now());
    for (let time = 0; time < mostTries; time++) {
      const saved = await ledger.save(account, now(), isEdit);
      if (saved === "news") {
        await restore(account);
        account.renewed = true;
        return;
      }
      if (saved === "conflict") continue;
      for (const what of saved) crossed(account, what);
      return;
    }
  }
}
