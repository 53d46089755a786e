import { randomUUID } from "node:crypto";
import { type CountersService, type Logger, turn } from "../../core/index.ts";
import { Account } from "./account.ts";
import { type Budget, isHard } from "./budgets.ts";
import { Keeper, type KeeperInput } from "./keeping.ts";
import { editedPeriod } from "./kept-period.ts";
import { type Knowledge, knowledgeOf } from "./knowledge.ts";
import { isUntold, KnownAccounts } from "./known-accounts.ts";
import type { Ledger } from "./ledger.ts";
import { nameOf } from "./names.ts";
import { Namer } from "./naming.ts";
import { Restorer } from "./restoring.ts";
import { messagesOf, sending, Teller } from "./telling.ts";
import { troubleIn } from "./trouble.ts";
import type { Crossed } from "./written-account.ts";

export interface AccountsInput extends Pick<KeeperInput, "edited"> {
  readonly counters: CountersService;
  /** Absent where nothing is kept: then what was used is forgotten with this process, or its counters. */
  readonly ledger: Ledger | undefined;
  readonly log: Logger;
  readonly now: () => number;
  /** Told of what a budget has crossed, once in each period whoever notices it. */
  readonly crossed: (account: Account, what: Crossed) => void;
  /** Milliseconds that the records may be behind what was settled. */
  readonly settleInterval: number;
  /** How many there may be; beyond it, those that were not used for the longest time go. */
  readonly most?: number;
}

/** What a request has used of a budget, and what was held for it: the hold ends with it. */
export interface Spending {
  readonly account: Account;
  readonly amount: bigint;
  readonly hold: string;
}

/** How often a process that ends tells what it gets no answer to. */
const lastTries = 5;

/** All budgets that requests were counted against lately. What is used is told to the counters now and then, and kept. */
export class Accounts {
  /** Has the periods of hard budgets called alike by everybody. */
  readonly namer: Namer;
  readonly #input: AccountsInput;
  readonly #known: KnownAccounts;
  readonly #loading = new Map<string, Promise<Account>>();
  /** What is counted as soon as its account is learnt anew. */
  readonly #late = new Set<Promise<void>>();
  readonly #restorer: Restorer;
  readonly #keeper: Keeper;
  readonly #teller: Teller;
  readonly #trouble: (error: unknown) => void;
  readonly #process = randomUUID();
  #sequence = 0;
  #serving = false;

  constructor(input: AccountsInput) {
    this.#input = input;
    const trouble = troubleIn(input.log);
    this.#trouble = trouble;
    this.#known = new KnownAccounts(input);
    this.#restorer = new Restorer({ ...input, serving: () => this.#serving });
    this.#keeper = new Keeper({
      ...input,
      restore: (account) => this.restore(account),
      trouble,
    });
    this.#teller = new Teller({
      counters: input.counters,
      keeper: this.#keeper,
      restore: (account) => this.restore(account),
      trouble,
    });
    this.namer = new Namer({
      keeper: this.#keeper,
      keeps: input.ledger !== undefined,
      goOn: (account) => this.goOn(account),
      trouble,
    });
  }

  /** From now on this process counts, and does not only look. */
  serve(): void {
    this.#serving = true;
  }

  /** What this process, which may only look, knows of an account. */
  knowledgeOf(account: Account): Knowledge {
    return this.#serving ? {} : knowledgeOf(account, this.#input);
  }

  get size(): number {
    return this.#known.size;
  }

  /** The account of a budget in its current period; a promise when it was not asked for before. `caller` is who asks: a workspace. */
  of(group: string, budget: Budget, caller?: string): Account | Promise<Account> {
    const known = this.#known.found(group, budget);
    if (!known) {
      const name = nameOf(group, budget.base);
      return this.#loading.get(name) ?? this.#load(name, group, budget, caller);
    }
    // An edit or a reset, which may have been first, is of no workspace.
    if (!budget.policy) known.workspace ??= caller;
    const now = this.#input.now();
    if (known.turn(budget, now) && this.#serving) this.#keeper.saveSoon(known);
    // One that was soft may hold back what a hard one has to make room beside.
    if (known.unsent !== 0n && isHard(known) && !known.doubtful) void this.#flushSome(group, [known]);
    this.#known.use(known, now);
    return known;
  }

  /** The account of a budget as it was when it was last asked for; undefined where that is long ago. */
  known(group: string, { base }: Pick<Budget, "base">): Account | undefined {
    return this.#known.named(group, base);
  }

  /** A request may outlast the period of its account, and is counted in the next one; or how long that is looked after. */
  goOn(account: Account): void {
    account.turn(account.budget, this.#input.now());
    this.#known.await(account);
  }

  /**
   * Accounts of a request that took so long that some were let go meanwhile: what became of them since is learnt first.
   * Undefined where none was.
   */
  anew(accounts: readonly Account[]): undefined | Promise<Account[]> {
    if (!accounts.some(({ isForgotten }) => isForgotten)) return undefined;
    const learnt = accounts.map(async (before) => {
      const { group, budget, workspace } = before;
      // Others may know a later budget by now.
      const account = this.known(group, budget) ?? (await this.of(group, budget, workspace));
      account.hasHeld ||= before.hasHeld;
      return account;
    });
    return Promise.all(learnt);
  }

  /** Counts what was used, to be told to the counters with the next flush. */
  add(account: Account, amount: bigint): void {
    if (amount === 0n) return;
    const anew = this.anew([account]);
    if (anew) return this.#addLate(anew, amount);
    this.goOn(account);
    account.unsent += amount;
    // What others have to know, and people are to be told, does not wait for the next flush.
    if (isHard(account)) void this.#flushSome(account.group, [account]).then(() => this.#keeper.saveSoon(account));
    else if (this.#keeper.isCrossed(account)) void this.#flushSome(account.group, [account]);
  }

  /**
   * Counts at once, and ends holds. Where the counters are away they are told later; `there` says whether they have the
   * holds at all. A promise only where the counters take their time.
   */
  settle(group: string, spendings: readonly Spending[], once: string, there: boolean): undefined | Promise<void> {
    if (!there && !this.#input.counters.available) {
      for (const { account, amount } of spendings) this.add(account, amount);
      return undefined;
    }
    const again = this.anew(spendings.map(({ account }) => account));
    if (again)
      return again.then((anew) =>
        this.settle(
          group,
          spendings.map((one, at) => ({ ...one, account: anew[at] ?? one.account })),
          once,
          there,
        ),
      );
    for (const { account } of spendings) this.goOn(account);
    const entries = spendings.map(({ account, amount, hold }) => sending(account, amount, hold));
    const saveAll = (): undefined => {
      for (const { account } of spendings) this.#keeper.saveSoon(account);
    };
    const sent = this.#teller.tell({ once, group, entries });
    return sent ? sent.then(saveAll) : saveAll();
  }

  /** Learns an account from its record and its counter, and puts the counter right where it was lost. */
  async restore(account: Account): Promise<void> {
    await this.#restorer.restore(account);
    // What was told to a counter that nobody else goes by is told again.
    if (account.unsent !== 0n) this.#known.await(account);
  }

  /** Tells the counters what was used since the last time, and learns what others have used. */
  async flush(): Promise<void> {
    const { counters, now } = this.#input;
    const moment = now();
    this.#known.forget(moment);
    if (!counters.available) return;
    await this.#teller.tellAgain();
    const untold = [...this.#known.recent()].filter((account) => {
      account.turn(account.budget, moment);
      return !this.#known.isLeft(account, moment);
    });
    for (const { group, accounts } of messagesOf(untold)) {
      await this.#flushSome(group, accounts);
      // There may be a million of them, and counters in this process answer at once: requests are not kept waiting.
      await turn();
    }
  }

  /** Keeps the totals that are not kept yet, of some accounts or of all. */
  sync(of: (account: Account) => boolean = () => true): Promise<void> {
    return this.#keeper.sync([...this.#known.values()].filter(of));
  }

  /** Tells and keeps all there is, a last time. What the counters cannot be told is kept: nobody else knows of it. */
  async close(): Promise<void> {
    await Promise.all(this.#late);
    await this.flush();
    await this.sync();
    // A record may have told of another name of the period: what was told under the one before is told to that. And what was
    // not answered may have been counted: kept as well, it would be counted twice.
    for (let time = 0; time < lastTries && this.#input.counters.available; time++) {
      if (![...this.#known.recent()].some(isUntold)) break;
      await this.flush();
    }
    this.#teller.takeBack();
    const leaving = [...this.#known.recent()];
    for (const account of leaving) account.leave(`${this.#process} ${++this.#sequence}`);
    // What others have written meanwhile is learnt first.
    for (let time = 0; time < lastTries; time++) {
      await this.sync();
      if (!leaving.some(({ leaves }) => leaves)) break;
    }
  }

  /** The record of an account was changed by somebody else: it may have been reset. */
  async changed(group: string, id: string, version: number | undefined): Promise<void> {
    const account = this.#known.withId(group, id);
    if (!account || (version !== undefined && version <= (account.record?.version ?? 0))) return;
    await this.restore(account).catch(this.#trouble);
  }

  /** A budget was edited: its period is learnt, and kept for others to learn it, before anybody asks for the budget. */
  async edited(group: string, budget: Budget): Promise<void> {
    const now = this.#input.now();
    const account = await this.of(group, budget);
    account.learnPeriod(editedPeriod(budget.period, now), now);
    await this.restore(account);
    await this.#keeper.edit(account);
  }

  /** Changes of records may not have been told. */
  missed(): void {
    for (const account of this.#known.values()) account.doubtful = true;
  }

  #addLate(anew: Promise<Account[]>, amount: bigint): void {
    const late = anew.then((accounts) => {
      for (const account of accounts) this.add(account, amount);
      this.#late.delete(late);
    });
    this.#late.add(late);
  }

  async #flushSome(group: string, accounts: readonly Account[]): Promise<void> {
    // While the counters are away amounts stay where they are, however long that is.
    if (!this.#input.counters.available) return;
    const entries = accounts.map((account) => {
      const amount = account.unsent;
      account.unsent = 0n;
      return sending(account, amount);
    });
    await this.#teller.tell({ once: `${this.#process} ${++this.#sequence}`, group, entries });
    // What was told under a name that no record has would be lost with this process.
    for (const account of accounts) if (!account.isNamed) this.#keeper.saveSoon(account);
  }

  async #load(name: string, group: string, budget: Budget, caller: string | undefined): Promise<Account> {
    const account = this.#known.learn(new Account(group, budget, caller));
    account.turn(budget, this.#input.now());
    const loading = this.restore(account)
      .catch((error: unknown) => {
        account.doubtful = true;
        this.#trouble(error);
      })
      .then(() => {
        // Whoever asks knows the period better than the record does.
        account.turn(budget, this.#input.now());
        if (this.#serving && this.#keeper.isUntold(account)) {
          account.renewed = true;
          this.#keeper.saveSoon(account);
        }
        this.#loading.delete(name);
        this.#known.use(account, this.#input.now());
        return account;
      });
    this.#loading.set(name, loading);
    return loading;
  }
}
