import { randomUUID } from "node:crypto";
import { type CountersService, type Logger, RecordError, type Settlement } from "../../core/index.ts";
import { Account } from "./account.ts";
import type { Budget } from "./budgets.ts";
import type { Crossed, Ledger } from "./ledger.ts";

export interface AccountsInput {
  readonly counters: CountersService;
  /** Absent where nothing is kept: then what was used is forgotten with this process, or its counters. */
  readonly ledger: Ledger | undefined;
  readonly log: Logger;
  readonly now: () => number;
  /** Told of what a budget has crossed, once in each period whoever notices it. */
  readonly crossed: (account: Account, what: Crossed) => void;
}

/** Amounts on their way to the counters: told again under the same name until they have them. */
interface Batch {
  readonly once: string;
  readonly group: string;
  readonly entries: readonly { readonly account: Account; readonly epoch: string; readonly settlement: Settlement }[];
}

/** Accounts that were not used for so long are read from the counters no more, and after longer let go. */
const refreshedFor = 60_000;
const forgottenAfter = 3_600_000;

/** Entries of one message to the counters. */
const mostEntries = 200;

/** Records that are written at the same time. */
const atOnce = 8;

/** All budgets that requests were counted against lately. What is used is told to the counters now and then, and kept. */
export class Accounts {
  readonly #input: AccountsInput;
  readonly #accounts = new Map<string, Account>();
  readonly #loading = new Map<string, Promise<Account>>();
  readonly #batches: Batch[] = [];
  readonly #saving = new Set<Account>();
  readonly #process = randomUUID();
  #sequence = 0;

  constructor(input: AccountsInput) {
    this.#input = input;
  }

  /** The account of a budget in its current period; a promise when it was not asked for before. */
  of(group: string, budget: Budget): Account | Promise<Account> {
    const name = nameOf(group, budget.base);
    const known = this.#accounts.get(name);
    if (!known) return this.#loading.get(name) ?? this.#load(name, group, budget);
    known.turn(budget, this.#input.now());
    return known;
  }

  /** The account of a budget as it was when it was last asked for; undefined where that is long ago. */
  known(group: string, { base }: Pick<Budget, "base">): Account | undefined {
    return this.#accounts.get(nameOf(group, base));
  }

  /** Whether it is these counters that accounts are told to. */
  isStore(counters: CountersService): boolean {
    return counters === this.#input.counters;
  }

  /** Counts what was used, to be told to the counters with the next flush. */
  add(account: Account, amount: bigint): void {
    if (amount === 0n) return;
    account.unsent += amount;
    // What others have to know, and people are to be told, does not wait for the next flush.
    if (this.#isCrossed(account)) void this.#flushSome(account.group, [account]);
  }

  /** Counts at once, and ends a hold. Where the counters are away they are told later. */
  settle(
    group: string,
    entries: readonly { account: Account; amount: bigint; hold: string }[],
    once: string,
  ): Promise<void> {
    return this.#send({
      once,
      group,
      entries: entries.map(({ account, amount, hold }) => {
        account.sent += amount;
        return { account, epoch: account.epoch, settlement: settlementOf(account, amount, hold) };
      }),
    }).then(() => {
      for (const { account } of entries) this.saveSoon(account);
    });
  }

  /** What the counters answered to a claim of an account. Less than was known: they were lost, and are restored. */
  async restore(account: Account): Promise<void> {
    const { counters, ledger } = this.#input;
    const record = await ledger?.read(account);
    if (record && (record.document.last_reset_at ?? "") > account.resetAt) {
      account.resetAt = record.document.last_reset_at ?? "";
      account.turn(account.budget, this.#input.now());
    }
    const kept = record?.document.epoch === account.epoch ? BigInt(record.document.total) : 0n;
    account.kept = kept;
    account.version = record?.version ?? 0;
    if (!counters.available) {
      account.doubtful = true;
      account.known = kept > account.known ? kept : account.known;
      return;
    }
    const [there = 0n] = await counters.read(account.group, [account.key]);
    account.doubtful = false;
    account.known = there;
    if (there >= kept) return;
    const entry = { key: account.key, amount: kept, expiresAt: account.expiresAt };
    const once = `restored ${account.key} ${record?.version}`;
    const [total = kept] = await counters.settle(account.group, [entry], once);
    account.known = total;
  }

  /** Tells the counters what was used since the last time, and learns what others have used. */
  async flush(): Promise<void> {
    for (const batch of this.#batches.splice(0)) await this.#send(batch);
    const now = this.#input.now();
    const byGroup = new Map<string, Account[]>();
    for (const [name, account] of this.#accounts) {
      if (account.unsent === 0n && now - account.usedAt > forgottenAfter) this.#accounts.delete(name);
      else if (account.unsent !== 0n || now - account.usedAt <= refreshedFor)
        byGroup.set(account.group, [...(byGroup.get(account.group) ?? []), account]);
    }
    for (const [group, accounts] of byGroup)
      for (let at = 0; at < accounts.length; at += mostEntries)
        await this.#flushSome(group, accounts.slice(at, at + mostEntries));
  }

  /** Keeps the totals that are not kept yet. */
  async sync(): Promise<void> {
    const behind = [...this.#accounts.values()].filter(({ known, kept }) => known !== kept);
    for (let at = 0; at < behind.length; at += atOnce)
      await Promise.all(behind.slice(at, at + atOnce).map((account) => this.#save(account)));
  }

  /** Keeps one soon, with whatever is used meanwhile. */
  saveSoon(account: Account): void {
    if (this.#saving.has(account)) return;
    this.#saving.add(account);
    setImmediate(() => {
      this.#saving.delete(account);
      void this.#save(account);
    });
  }

  /** The record of an account was changed by somebody else: it may have been reset. */
  async changed(group: string, id: string, version: number | undefined): Promise<void> {
    for (const account of this.#accounts.values()) {
      if (account.group !== group || account.id !== id) continue;
      if (version === undefined || version > account.version)
        await this.restore(account).catch((error: unknown) => this.#trouble(error));
    }
  }

  async #flushSome(group: string, accounts: readonly Account[]): Promise<void> {
    const entries = accounts.map((account) => {
      const amount = account.unsent;
      account.unsent = 0n;
      account.sent += amount;
      return { account, epoch: account.epoch, settlement: settlementOf(account, amount) };
    });
    await this.#send({ once: `${this.#process} ${++this.#sequence}`, group, entries });
  }

  async #send(batch: Batch): Promise<void> {
    const { counters } = this.#input;
    const { once, group, entries } = batch;
    let totals: readonly bigint[];
    try {
      if (!counters.available) throw new Error("the counters are away");
      totals = await counters.settle(
        group,
        entries.map(({ settlement }) => settlement),
        once,
      );
    } catch (error) {
      if (entries.some(({ settlement: { amount, hold } }) => amount !== 0n || hold !== undefined))
        this.#batches.push(batch);
      return this.#trouble(error);
    }
    for (const [at, { account, epoch, settlement }] of entries.entries()) {
      // What was used before a reset does not count.
      if (account.epoch !== epoch) continue;
      account.sent -= settlement.amount;
      await this.#learn(account, totals[at] ?? 0n, settlement.amount);
    }
  }

  async #learn(account: Account, total: bigint, amount: bigint): Promise<void> {
    const isLost = total < account.known + amount;
    account.known = total;
    if (isLost || account.doubtful) await this.restore(account).catch((error: unknown) => this.#trouble(error));
    if (this.#isCrossed(account)) this.saveSoon(account);
  }

  /** Whether something was crossed since the account was kept last. */
  #isCrossed({ total, kept, budget }: Account): boolean {
    const { limit, alert } = budget;
    return (total >= limit && kept < limit) || (alert !== undefined && total >= alert && kept < alert);
  }

  async #load(name: string, group: string, budget: Budget): Promise<Account> {
    const account = new Account(group, budget);
    account.turn(budget, this.#input.now());
    const loading = this.restore(account)
      .catch((error: unknown) => {
        account.doubtful = true;
        this.#trouble(error);
      })
      .then(() => {
        this.#loading.delete(name);
        this.#accounts.set(name, account);
        return account;
      });
    this.#loading.set(name, loading);
    return loading;
  }

  async #save(account: Account): Promise<void> {
    const { ledger, crossed } = this.#input;
    if (!ledger) return;
    try {
      for (const what of (await ledger.save(account)) ?? []) crossed(account, what);
    } catch (error) {
      this.#trouble(error);
    }
  }

  #trouble(error: unknown): void {
    const { log } = this.#input;
    if (error instanceof RecordError && error.reason !== "down")
      log.error("what was used could not be kept", { error });
    else log.debug("what was used is told later", { error });
  }
}

const nameOf = (group: string, base: string): string => `${group} ${base}`;

const settlementOf = (account: Account, amount: bigint, hold?: string): Settlement => ({
  key: account.key,
  amount,
  expiresAt: account.expiresAt,
  ...(hold !== undefined && { hold }),
});
