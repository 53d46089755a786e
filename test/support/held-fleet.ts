import { setImmediate } from "node:timers/promises";
import { expect } from "vitest";
import {
  type Attempt,
  CountersError,
  type CountersService,
  type Exchange,
  endOfPeriod,
  type GatewayRequest,
  type LimitFinder,
  MemoryCounters,
  mostCounted,
  type PolicyCounters,
  type PricesService,
  recordStore,
  SureCounters,
  type Usage,
  type UsagePolicy,
} from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import type { Account } from "../../plugins/usage-limits/account.ts";
import { Accounts } from "../../plugins/usage-limits/accounts.ts";
import type { Budget } from "../../plugins/usage-limits/budgets.ts";
import { isNewsTo } from "../../plugins/usage-limits/edited-policies.ts";
import { policyCounters } from "../../plugins/usage-limits/entities.ts";
import { Expectations } from "../../plugins/usage-limits/expectations.ts";
import { BudgetGate } from "../../plugins/usage-limits/gate.ts";
import { Ledger } from "../../plugins/usage-limits/ledger.ts";
import { accountId } from "../../plugins/usage-limits/names.ts";
import { budget } from "../../plugins/usage-limits/testing.ts";
import type { Crossed } from "../../plugins/usage-limits/written-account.ts";
import { AlertsTold, isSo } from "./alerts-told.ts";
import { MemoryRecords } from "./memory-records.ts";

type Cadence = Budget["period"]["cadence"];

/** Milliseconds. */
export const holdFor = 600_000;
const day = 86_400_000;
const start = Date.parse("2082-09-02T10:00Z");

const cent = 10n ** 10n;
/** A cent for each token, but for what has no price. */
export const prices: PricesService = {
  costOf: ({ attempt }, usage) => ({
    ...(attempt.target.path !== "unpriced" && { amount: `${tokensOf(usage) / 100}` }),
    currency: "USD",
    source: "config",
  }),
};
export const tokensOf = ({ inputTokens = 0, outputTokens = 0 }: Usage) => inputTokens + outputTokens;

/** One budget, what was used of it, and what is held for whom. */
export interface Counted {
  readonly phase: "admission" | "target";
  /** Of a target. */
  readonly provider: Exclude<Limits["at"], "key"> | undefined;
  of: Budget;
  /** How many requests there were when the management API last told of other limits: who was let in before may go by either. */
  toldAt: number;
  /** Its policy was deleted: it is met no more. */
  isGone: boolean;
  /** The conditions of its policy are about others now. */
  isAside: boolean;
  used: bigint;
  /** Counters have raised it in this period, and not answered, before their loss was noticed. */
  isLossHidden: boolean;
  readonly alerts: AlertsTold;
  readonly holds: Map<string, { readonly amount: bigint; readonly until: number; readonly by: Asked }>;
}

/** A gateway, or one of its generations. */
export interface Process {
  readonly accounts: Accounts;
  readonly gate: BudgetGate;
  /** What its management API tells of edits. */
  readonly counters: PolicyCounters;
  readonly asked: Set<Asked>;
  /** Budgets of a file that it has not read anew. */
  readonly behind: Map<Counted, Budget>;
  readonly stop: () => void;
}

export interface Asked {
  readonly exchange: Exchange;
  readonly request: GatewayRequest;
  readonly process: Process;
  readonly expected: number;
  /** Which request it is. */
  readonly number: number;
  /** What it met, and each of its targets; without what it is not counted against. */
  readonly met: Map<object, readonly Counted[]>;
}

export const amountIn = ({ of: { type } }: Counted, tokens: number, requests: bigint): bigint =>
  type === "requests" ? requests : type === "tokens" ? BigInt(tokens) : BigInt(tokens) * cent;

/** A budget as a walk begins with it; dollars are cents. */
export interface Limits {
  readonly type: Budget["type"];
  readonly limit: number;
  readonly alert?: number | undefined;
  readonly at: "key" | "main" | "spare";
  readonly hard: boolean;
}

/** Another period, of which the next reset may be said, in days from the midnight before. */
interface Redating {
  readonly cadence: Cadence;
  readonly days?: number | undefined;
  /** Whether other gateways go on with the policy as it was, until they hear of another edit. */
  readonly isHeardLate?: boolean;
}

/** What is seen of a budget: what its counter says, its record and each process, and what is held. */
interface Seen {
  readonly total: bigint;
  readonly kept: bigint;
  readonly known: readonly bigint[];
  readonly held: bigint;
}

/** What a counter is to be raised by. */
interface Raised {
  readonly key: string;
  readonly amount: bigint;
}

/** New counters, empty, under a clock; each gateway has a way of its own to them, by its number. */
export type OpenCounters = (now: () => number) => (process: number) => CountersService;

const inMemory: OpenCounters = (now) => {
  const counters = new MemoryCounters({ now });
  return () => counters;
};

/** Gateways that share counters and records, with the simplest account of what they count and hold. */
export class HeldFleet {
  now = start;
  readonly budgets: Counted[];
  readonly records = new MemoryRecords();
  readonly ledger = new Ledger(recordStore(this.records, silentLogger));
  readonly #openCounters: OpenCounters;
  #counters: ReturnType<OpenCounters>;
  /** What the counters have not answered yet. */
  readonly #pending = new Set<Promise<unknown>>();
  #made = 0;
  isAway = false;
  /** How many requests there were. */
  names = 0;
  /** Whether some have gone by a period that others had changed, and those have not said so since. */
  #wereBehind = false;
  /** So many answers of the counters get lost, of what they have done. */
  mute = 0;
  /** Whether it can be said who is let in: not where processes have counted by themselves. */
  isExact = true;
  /** The counters were lost, and not all have heard from them since. */
  #isLost = false;
  /** What was told, and should not have been. */
  wrong: unknown;
  readonly processes: Process[];
  readonly ending: Process[] = [];

  constructor(budgets: readonly Limits[], openCounters = inMemory) {
    this.#openCounters = openCounters;
    this.#counters = openCounters(() => this.now);
    this.budgets = budgets.map((limits, index) => countedBy(limits, `${index}`));
    this.processes = [1, 2].map(() => this.process());
  }

  process(): Process {
    const now = () => this.now;
    const ledger = new Ledger(recordStore(this.records, silentLogger));
    const fleet = this;
    const at = this.#made++ % 2;
    const shared: CountersService = {
      shared: "deployment",
      get available() {
        return !fleet.isAway;
      },
      now,
      claim: (group, claims) => this.call(() => this.#counters(at).claim(group, claims), claims),
      settle: (group, entries, once) => this.call(() => this.#counters(at).settle(group, entries, once), entries),
      read: (...asked) => this.call(() => this.#counters(at).read(...asked)),
      put: (...asked) => this.call(() => this.#counters(at).put(...asked)),
    };
    const behind = new Map<Counted, Budget>();
    const told = { log: silentLogger, settleInterval: 0, crossed: this.#crossed };
    const edited = (account: Account) => {
      const one = this.budgets.find(({ of }) => of.base === account.base);
      const latest = one && (behind.get(one) ?? one.of);
      return latest && isNewsTo(account, latest.version) ? latest : undefined;
    };
    const accounts = new Accounts({ ...told, counters: shared, ledger, now, edited });
    const stop = ledger.changes(
      ({ tenant, id, written }) => void accounts.changed(tenant, id, written?.version),
      () => accounts.missed(),
    );
    accounts.serve();
    const finder = {
      met: (phase: string, { attempt }: Exchange) => this.meets(phase, attempt).map((one) => behind.get(one) ?? one.of),
    } as unknown as LimitFinder<UsagePolicy, Budget>;
    const gate = new BudgetGate({
      ...{ finder, accounts, holdFor, now },
      counters: new SureCounters({ counters: shared, onStoreError: "local", log: silentLogger }),
      expectations: new Expectations(prices, 500),
    });
    const counters = policyCounters(ledger, accounts, { now, log: silentLogger });
    return { accounts, gate, counters, asked: new Set(), behind, stop };
  }

  readonly #crossed = ({ budget: { base } }: Account, what: Crossed): void => {
    const one = this.budgets.find(({ of }) => of.base === base);
    if (!one || what === "period") return;
    this.#check(() => {
      if (this.isExact) expect(isSo(what, one.used, one.of), `${what}, which is not so`).toBe(true);
      one.alerts.tell(what);
    });
  };

  /** What is found out where nobody listens is said with the next look. */
  #check(checks: () => void): void {
    try {
      checks();
    } catch (error) {
      this.wrong ??= error;
    }
  }

  async call<Answer>(ask: () => Answer | Promise<Answer>, raised: readonly Raised[] = []): Promise<Answer> {
    if (this.isAway) throw new CountersError("away");
    const isMute = this.mute > 0;
    if (isMute) this.mute--;
    if (isMute && this.#isLost)
      for (const one of this.budgets)
        one.isLossHidden ||= raised.some(({ key, amount }) => amount !== 0n && key.startsWith(one.of.base));
    const asked = ask();
    if (!(asked instanceof Promise)) return heard(asked, isMute);
    this.#pending.add(asked);
    return heard(await asked.finally(() => this.#pending.delete(asked)), isMute);
  }

  /** The counters have answered all they were asked, and changes are heard of. */
  async quiet(): Promise<void> {
    await quiet();
    while (this.#pending.size > 0) {
      await Promise.allSettled(this.#pending);
      await quiet();
    }
  }

  /** The counters are there, and have all. */
  async well(): Promise<void> {
    this.isAway = false;
    this.mute = 0;
    for (let time = 0; time < 3; time++) await this.tend();
    this.#isLost = false;
  }

  meets(phase: string, attempt?: Attempt): Counted[] {
    const slug = attempt?.target.provider.slug;
    return this.budgets.filter(
      (one) =>
        !one.isGone && !one.isAside && one.phase === phase && (one.provider === undefined || one.provider === slug),
    );
  }

  /** A file that all have read, or the management API of one gateway, of which the others hear when they next use it. */
  async edit(counted: Counted, change: Partial<Budget>, by?: Process): Promise<void> {
    const { of } = counted;
    counted.of = { ...of, ...change, version: (of.version ?? 0) + 1 };
    counted.alerts.edit(counted.of, of);
    for (const { behind } of [...this.processes, ...this.ending]) behind.delete(counted);
    if (!by) await this.ofAll(counted);
    else {
      counted.toldAt = this.names;
      await by.counters.edited("o", policyOf(counted), "limits");
    }
    await this.quiet();
  }

  /** A file with another period is read by one process; the others go on with theirs. */
  async read(counted: Counted, reading: Process, cadence: Cadence): Promise<void> {
    this.#wereBehind = true;
    for (const { behind } of [...this.processes, ...this.ending])
      if (!behind.has(counted)) behind.set(counted, counted.of);
    reading.behind.delete(counted);
    const { of } = counted;
    counted.of = { ...of, period: { ...of.period, cadence }, version: (of.version ?? 0) + 1 };
    await reading.accounts.of("o", counted.of);
  }

  /**
   * The management API of one gateway is told of another period. The others hear of it by the record, and of the policy itself
   * when they next use it, or later.
   */
  async redate(
    counted: Counted,
    { counters, behind }: Process,
    { cadence, days, isHeardLate = false }: Redating,
  ): Promise<void> {
    const { of } = counted;
    this.#wereBehind ||= isHeardLate;
    for (const one of [...this.processes, ...this.ending])
      if (!isHeardLate) one.behind.delete(counted);
      else if (!one.behind.has(counted)) one.behind.set(counted, of);
    behind.delete(counted);
    const rule = { cadence, next: undefined, since: this.now, weekStart: 1 } as const;
    const next = days === undefined ? endOfPeriod(rule, this.now) : this.now - (this.now % day) + days * day;
    const period = { ...rule, next, since: 0 };
    counted.of = { ...of, period, version: (of.version ?? 0) + 1 };
    await counters.edited("o", policyOf(counted), "period");
    await this.quiet();
  }

  /** A policy is deleted, and another one made in its place: what the one before let in is counted, and held, for that. */
  remake(counted: Counted, limits: Omit<Limits, "at">): void {
    counted.isGone = true;
    this.budgets.push(countedBy({ ...limits, at: counted.provider ?? "key" }, `${this.budgets.length}`));
  }

  ofAll(counted: Counted): Promise<Account[]> {
    const all = [...this.processes, ...this.ending];
    return Promise.all(all.map(({ accounts, behind }) => accounts.of("o", behind.get(counted) ?? counted.of)));
  }

  async reset(counted: Counted, { accounts }: Process): Promise<void> {
    await this.well();
    const { base } = counted.of;
    const group = "o";
    for (let isReset = false; !isReset; ) {
      const record = await this.ledger.read({ group, id: accountId(base) });
      if (!record) return;
      isReset = await this.ledger.reset(record, this.now);
    }
    await accounts.changed(group, accountId(base), undefined);
    await this.quiet();
    await this.ofAll(counted);
    this.begin(counted);
  }

  /** Once all is told: what only one process knows may be lost with the counters. */
  async lose(): Promise<void> {
    // What no process has in mind, and is not in the records yet, is lost with them.
    for (const one of this.budgets) await this.ofAll(one);
    await this.well();
    this.#counters = this.#openCounters(() => this.now);
    this.#isLost = true;
    for (const { holds } of this.budgets) holds.clear();
  }

  /** Its next generation begins, and it ends with its last request. */
  reload(at: number): void {
    this.ending.push(this.processes[at] as Process);
    this.processes[at] = this.process();
  }

  begin(counted: Counted): void {
    counted.alerts.begin();
    counted.used = 0n;
    counted.isLossHidden = false;
    counted.holds.clear();
  }

  /** What it held is free in time, and what it has not told is lost. */
  async crash(at: number): Promise<void> {
    const { accounts, stop } = this.processes[at] as Process;
    // Whether what is on its way was counted nobody can say.
    if (this.budgets.some(({ of }) => accounts.known("o", of)?.sent)) await this.well();
    stop();
    for (const one of this.budgets) one.used -= accounts.known("o", one.of)?.unsent ?? 0n;
    this.processes[at] = this.process();
  }

  async end(process: Process): Promise<void> {
    this.ending.splice(this.ending.indexOf(process), 1);
    await process.accounts.close();
    await this.quiet();
    process.stop();
  }

  async wait(time: number): Promise<void> {
    await this.well();
    const before = this.now;
    // Who has the newest file uses what it is about each day: what nobody goes by gives way.
    if (this.#wereBehind) for (; this.now + day / 2 < before + time; this.now += day / 2) await this.sayNewest();
    if (time >= day) this.#wereBehind = [...this.processes, ...this.ending].some(({ behind }) => behind.size > 0);
    this.now = before + time;
    for (const one of this.budgets) if (endOf(one, before) !== endOf(one, this.now)) this.begin(one);
  }

  async sayNewest(): Promise<void> {
    for (const { accounts, behind } of [...this.processes, ...this.ending])
      for (const one of this.budgets) {
        if (behind.has(one)) continue;
        Object.assign(await accounts.of("o", one.of), { renewed: true });
        await accounts.sync(({ base }) => base === one.of.base);
      }
  }

  heldOf({ holds }: Counted, butFor?: string): bigint {
    let held = 0n;
    for (const [id, { amount, until }] of holds) if (until > this.now && id !== butFor) held += amount;
    return held;
  }

  /** What each process does now and then. */
  async tend(): Promise<void> {
    for (const { accounts } of [...this.processes, ...this.ending]) {
      await accounts.flush();
      await accounts.sync();
    }
    await this.quiet();
  }

  /** Of each budget the alerts that are due; and whatever was told and should not have been. */
  checkAlerts(): void {
    if (this.wrong !== undefined) throw this.wrong;
    const due = this.budgets.filter(({ alerts, used, of, isLossHidden }) => !isLossHidden && alerts.isDue(used, of));
    expect(due.map(({ used, of: { id, limit, alert } }) => ({ id, used, limit, alert }))).toEqual([]);
  }

  /** Of each budget what the model says, then the counter, the record, and each process; and what is held. */
  async seen(): Promise<Seen[]> {
    for (const one of this.budgets) await this.ofAll(one);
    await this.tend();
    const all: Seen[] = [];
    for (const one of this.budgets) {
      const accounts = await this.ofAll(one);
      const [{ key }] = accounts as [Account];
      const record = await this.ledger.read(accounts[0] as Account);
      const [total = 0n] = await this.#counters(0).read("o", [key]);
      const looking = { key, rule: "below", limit: mostCounted, amount: 0n, expiresAt: 0 } as const;
      const [there = 0n] = (await this.#counters(0).claim("o", [looking])).totals;
      const kept = record && this.ledger.totalFor(accounts[0] as Account, record.document, this.now);
      all.push({
        ...{ total, kept: kept ?? 0n, known: accounts.map((account) => account.total), held: there - total },
      });
    }
    return all;
  }

  /**
   * All that was used, and what is said of it. What comes before a loss is noticed may hide it, or be counted twice: of that all
   * say the same.
   */
  async checkAll(): Promise<void> {
    if (this.budgets.some(({ isLossHidden }) => isLossHidden)) await this.seen();
    const seen = await this.seen();
    const hidden = this.budgets.map(({ isLossHidden }, at) => (isLossHidden ? seen[at]?.total : undefined));
    expect(seen).toEqual(this.expected(hidden));
    this.checkAlerts();
    await this.#checkQuiet();
  }

  /** Where nothing comes to pass nothing is written, and nobody is in doubt. */
  async #checkQuiet(): Promise<void> {
    for (const one of this.budgets) await this.ofAll(one);
    for (let time = 0; time < 3; time++) await this.tend();
    const before = this.records.asked;
    await this.tend();
    expect(this.records.asked - before, "what is asked of records").toBe(0);
    for (const one of this.budgets)
      for (const { doubtful, late, sent, unsent } of await this.ofAll(one))
        expect({ doubtful, late, sent, unsent }).toEqual({ doubtful: false, late: 0n, sent: 0n, unsent: 0n });
  }

  /** `hidden`: what was used where that is not known. */
  expected(hidden: readonly (bigint | undefined)[] = []): Seen[] {
    const count = this.processes.length + this.ending.length;
    return this.budgets.map((one, at) => {
      const used = hidden[at] ?? one.used;
      return { total: used, kept: used, known: Array(count).fill(used), held: this.heldOf(one) };
    });
  }
}

const countedBy = ({ type, limit, alert, at, hard }: Limits, id: string): Counted => ({
  phase: at === "key" ? "admission" : "target",
  provider: at === "key" ? undefined : at,
  of: budget({
    ...{ base: `usage:policy:${id}:x`, id, type, level: "policy" },
    ...{
      limit: BigInt(limit) * unitOf(type),
      alert: alertOf(type, limit, alert),
      enforcement: hard ? "hard" : "soft",
      version: 1,
    },
    policy: { id, valueKey: "x" },
  }),
  isGone: false,
  isAside: false,
  toldAt: 0,
  used: 0n,
  isLossHidden: false,
  alerts: new AlertsTold(),
  holds: new Map(),
});

/** Below its limit, or none. */
const alertOf = (type: Budget["type"], limit: number, alert?: number): bigint | undefined =>
  alert === undefined || alert >= limit ? undefined : BigInt(alert) * unitOf(type);

/** The policy that says so; amounts in its own unit. */
const policyOf = ({ of: { id, type, limit, alert, enforcement, version, period } }: Counted): UsagePolicy => ({
  ...{ id, name: null, conditions: [], groupBy: [], type, enforcement },
  alertThreshold: alert === undefined ? null : said(type, alert),
  creditLimit: said(type, limit),
  ...(version !== undefined && { version }),
  ...(period.cadence !== undefined && { period: period.cadence }),
  ...(period.next !== undefined && { nextResetAt: period.next }),
});

const said = (type: Budget["type"], amount: bigint) => Number(amount) / Number(type === "cost" ? 100n * cent : 1n);
const endOf = ({ of }: Counted, now: number) => endOfPeriod(of.period, now);
export const unitOf = (type: Budget["type"]): bigint => (type === "cost" ? cent : 1n);

function heard<Answer>(answer: Answer, isMute: boolean): Answer {
  if (isMute) throw new CountersError("no answer");
  return answer;
}

/** Changes are heard of. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}
