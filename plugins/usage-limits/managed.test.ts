import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type CountersService, endOfPeriod, MemoryCounters, type PeriodRule, recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import type { Account } from "./account.ts";
import { Accounts } from "./accounts.ts";
import type { Budget } from "./budgets.ts";
import { Ledger } from "./ledger.ts";
import { accountId } from "./names.ts";
import { budget } from "./testing.ts";
import type { Crossed } from "./written-account.ts";

const day = 86_400_000;
const start = Date.parse("2082-09-02T10:00Z");
/** The same walks in the suite: by hand, with more of them, they are others. */
const runs = Number(process.env.SLUICE_WALKS ?? 1) * 300;

/** Processes that count one budget, which is changed and reset meanwhile, and what the simplest of all counts says of it. */
class Deployment {
  now = start;
  of: Budget;
  used = 0n;
  /** How often each could be told at most: once in each period, and once more for each edit that lets it be crossed anew. */
  readonly most = { threshold: 0, exhausted: 0 };
  readonly told: Crossed[] = [];
  readonly ledger: Ledger;
  readonly #processes: Process[];
  readonly #records = new MemoryRecords();
  #counters = new MemoryCounters({ now: () => this.now });
  #endsAt: number | undefined;
  #names = 0;

  constructor(level: Budget["level"]) {
    const policy = level === "policy" ? { policy: { id: "K1", valueKey: "api_key:K1" } } : {};
    this.of = budget({ level, alert: 60n, limit: 80n, version: 1, ...policy });
    this.#endsAt = endOfPeriod(this.of.period, this.now);
    this.#arm();
    this.ledger = new Ledger(recordStore(this.#records, silentLogger));
    this.#processes = [1, 2, 3].map(() => this.#process());
  }

  #process(): Process {
    const now = () => this.now;
    const ledger = new Ledger(recordStore(this.#records, silentLogger));
    const crossed = (_: Account, what: Crossed) => void this.told.push(what);
    const shared: CountersService = {
      ...{ shared: "deployment", available: true, now },
      claim: (...asked) => this.#counters.claim(...asked),
      settle: (...asked) => this.#counters.settle(...asked),
      read: (...asked) => this.#counters.read(...asked),
      put: (...asked) => this.#counters.put(...asked),
    };
    const accounts = new Accounts({ counters: shared, ledger, log: silentLogger, now, settleInterval: 0, crossed });
    const made: Process = { accounts, unheard: undefined, stop: () => undefined };
    made.stop = ledger.changes(
      ({ tenant, id, written }) => {
        const heard = () => void accounts.changed(tenant, id, written?.version);
        if (made.unheard) made.unheard.push(heard);
        else heard();
      },
      () => accounts.missed(),
    );
    accounts.serve();
    return made;
  }

  async step({ kind, process, amount, days, cadence }: Step): Promise<void> {
    const its = this.#processes[process] as Process;
    const { accounts } = its;
    this.#goOn(1);
    switch (kind) {
      case "use":
        return this.#use(accounts, BigInt(amount));
      case "flush":
        return accounts.flush();
      case "sync":
        return accounts.sync();
      case "wait":
        await this.#tend();
        return this.#goOn(days * day);
      case "night":
        await this.#tend();
        return this.#goOn(Math.max(0, day - 3 - (this.now % day)));
      case "reset":
        return this.#reset(accounts);
      case "limit":
        // A write under way goes by the limits of before.
        await quiet();
        this.#edit({ limit: BigInt(amount) + 40n, alert: BigInt(Math.min(amount, 39)) });
        return undefined;
      case "restart":
        await accounts.close();
        await quiet();
        its.stop();
        this.#processes[process] = this.#process();
        return undefined;
      case "lose":
        await this.#tend();
        this.#counters = new MemoryCounters({ now: () => this.now });
        return undefined;
      case "deafen":
        its.unheard ??= [];
        return undefined;
      case "hear":
        return hear(its);
      case "hardness":
        return this.#edit({ enforcement: this.of.enforcement === "hard" ? "soft" : "hard" });
      case "period":
        this.#edit({ period: { ...this.of.period, cadence: cadence === "days" ? { days } : cadence } });
        this.#endsAt = endOfPeriod(this.of.period, this.now);
        await accounts.edited("o", this.of);
    }
    return undefined;
  }

  /** All is told and kept, and whoever hears of it changes nothing, also where nobody asks any more: versions of the record. */
  async calm(): Promise<readonly (number | undefined)[]> {
    const versions: (number | undefined)[] = [];
    for (let time = 0; time < 4; time++) {
      await this.#tend();
      versions.push((await this.#record())?.version);
    }
    return versions.slice(2);
  }

  /** What each process does now and then. */
  async #tend(): Promise<void> {
    for (const one of this.#processes) {
      await hear(one);
      await one.accounts.flush();
      await one.accounts.sync();
    }
    await quiet();
  }

  #record() {
    return this.ledger.read({ group: "o", id: accountId(this.of.base) });
  }

  /** What each process takes it for, and the record. */
  async totals(): Promise<readonly bigint[]> {
    const record = await this.#record();
    const known = await Promise.all(this.#processes.map((one) => one.accounts.of("o", this.of)));
    const account = known[0] as Account;
    const kept = record && this.ledger.totalFor(account, record.document, this.now);
    return [...known.map(({ total }) => total), kept ?? 0n];
  }

  async #use(accounts: Accounts, amount: bigint): Promise<void> {
    const account = await accounts.of("o", this.of);
    if (account.total >= this.of.limit) return;
    this.used += amount;
    const once = `h${++this.#names}`;
    if (this.of.enforcement === "soft") accounts.add(account, amount);
    else await accounts.settle("o", [{ account, amount, hold: once }], once, true);
  }

  /** Of a policy its record says so, of a thing the thing itself. */
  async #reset(accounts: Accounts): Promise<void> {
    if (!this.of.policy) this.of = { ...this.of, resetAt: new Date(this.now).toISOString() };
    else {
      await accounts.flush();
      await accounts.sync();
      const account = await accounts.of("o", this.of);
      // Somebody else may write meanwhile.
      for (let isReset = false; !isReset; ) {
        const record = await this.ledger.read(account);
        if (!record) return;
        isReset = await this.ledger.reset(record, this.now);
      }
      await quiet();
      // What comes from whoever has not heard of it is of before.
      for (const one of this.#processes) await hear(one);
    }
    this.used = 0n;
    this.#arm();
  }

  #edit(change: Partial<Budget>): void {
    this.of = { ...this.of, ...change, version: (this.of.version ?? 0) + 1 };
    if (change.limit !== undefined) this.#arm();
  }

  #goOn(milliseconds: number): void {
    this.now += milliseconds;
    if (this.#endsAt === undefined || this.now < this.#endsAt) return;
    this.used = 0n;
    this.#endsAt = endOfPeriod(this.of.period, this.now);
    this.#arm();
  }

  #arm(): void {
    this.most.threshold++;
    this.most.exhausted++;
  }
}

interface Process {
  readonly accounts: Accounts;
  /** What it is told later. */
  unheard: (() => void)[] | undefined;
  stop: () => void;
}

async function hear(process: Process): Promise<void> {
  const late = process.unheard ?? [];
  process.unheard = undefined;
  for (const heard of late) heard();
  await quiet();
}

/** Changes are heard of. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}

const kinds = [
  ...(["use", "flush", "sync", "wait", "night", "reset", "limit", "hardness", "period"] as const),
  ...(["restart", "lose", "deafen", "hear"] as const),
];
const what = fc.record({
  process: fc.nat({ max: 2 }),
  amount: fc.integer({ min: 1, max: 50 }),
  days: fc.integer({ min: 1, max: 20 }),
  cadence: fc.constantFrom<PeriodRule["cadence"] | "days">("weekly", "monthly", "days", undefined),
});
/** Each walk chooses what may happen in it: what it takes two of comes together more often than where all may. */
const walk = fc
  .tuple(fc.subarray(kinds, { minLength: 2 }), fc.array(fc.tuple(fc.nat({ max: 99 }), what), { maxLength: 25 }))
  .map(([chosen, steps]) => {
    const all: readonly Kind[] = ["use", ...chosen];
    return steps.map(([at, more]): Step => ({ kind: all[at % all.length] ?? "use", ...more }));
  });
type Kind = (typeof kinds)[number];
type Step = { readonly kind: Kind } & (typeof what extends fc.Arbitrary<infer Value> ? Value : never);

const one = (kind: Step["kind"], more: Partial<Step> = {}): Step => ({
  ...{ kind, process: 0, amount: 1, days: 1, cadence: "weekly", ...more },
});
const found: [Step[]][] = [
  [[one("use", { process: 2 }), one("hardness"), one("use"), one("period", { process: 2 })]],
  [[one("use"), one("reset"), one("use", { process: 1 })]],
  [[one("use"), one("sync"), one("period"), one("wait", { days: 4 }), one("period", { cadence: "monthly" })]],
  // It ends before it has heard of an edit.
  [[one("deafen", { process: 1 }), one("use", { process: 1 }), one("period"), one("restart", { process: 1 })]],
  // Nobody has it in mind any more when its period is edited.
  [
    [
      one("use"),
      one("wait", { days: 10 }),
      one("period", { cadence: "days", days: 7 }),
      one("wait", { days: 12 }),
      one("period", { cadence: "monthly" }),
    ],
  ],
  [
    [
      one("wait", { days: 5 }),
      one("use"),
      one("night"),
      one("night"),
      one("period", { cadence: "days", days: 7 }),
      one("wait", { days: 16 }),
    ],
  ],
];

it.each(["policy", "api_key"] as const)(
  "whatever is changed of a budget while it is used, everybody knows what was used of it since it began (%s)",
  async (level) => {
    await fc.assert(
      fc.asyncProperty(walk, async (steps) => {
        const deployment = new Deployment(level);
        for (const one of steps) await deployment.step(one);
        const [before, after] = await deployment.calm();
        expect(after).toBe(before);
        const { used, told, most } = deployment;
        expect(await deployment.totals()).toEqual([used, used, used, used]);
        const times = (what: Crossed) => told.filter((one) => one === what).length;
        expect(times("exhausted")).toBeLessThanOrEqual(most.exhausted);
        expect(times("threshold")).toBeLessThanOrEqual(most.threshold);
      }),
      { numRuns: runs, examples: found, ...(runs === 300 && { seed: 1 }) },
    );
  },
);
