import fc from "fast-check";
import { expect, it } from "vitest";
import { CountersError, type CountersService, MemoryCounters, recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import type { Account } from "./account.ts";
import type { Accounts } from "./accounts.ts";
import { Ledger } from "./ledger.ts";
import { budget, serving } from "./testing.ts";

const now = Date.parse("2082-09-02T10:00Z");

/** Counters that can be lost, away, or do what they are asked and not say so. */
class FrailCounters implements CountersService {
  readonly shared = "deployment";
  isAway = false;
  mute = 0;
  #memory = new MemoryCounters({ now: () => now });

  get available(): boolean {
    return !this.isAway;
  }
  now = () => now;
  claim = (...claims: Parameters<CountersService["claim"]>) => this.#call((memory) => memory.claim(...claims));
  settle = (...entries: Parameters<CountersService["settle"]>) => this.#call((memory) => memory.settle(...entries));
  read = (...keys: Parameters<CountersService["read"]>) => this.#call((memory) => memory.read(...keys));
  put = (...values: Parameters<CountersService["put"]>) => this.#call((memory) => memory.put(...values));

  lose(): void {
    this.#memory = new MemoryCounters({ now: () => now });
  }

  async #call<Answer>(ask: (memory: MemoryCounters) => Answer): Promise<Answer> {
    if (this.isAway) throw new CountersError("away");
    const answer = ask(this.#memory);
    if (this.mute === 0) return answer;
    this.mute--;
    throw new CountersError("no answer");
  }
}

interface Process {
  readonly accounts: Accounts;
  readonly account: Account;
}

/** Processes that count one budget, and all that they were told was used of it. */
class Deployment {
  readonly counters: FrailCounters;
  used = 0n;
  readonly #begin: () => Promise<Process>;
  readonly #processes: Process[];
  #running: unknown[] = [];
  #names = 0;
  /** What others tell before a loss was noticed hides it: that is bounded, not exact. */
  #noticing: number | undefined;
  /** Whether a call may have been done and not answered. */
  #isUnsure = false;

  private constructor(begin: () => Promise<Process>, processes: Process[], counters: FrailCounters) {
    this.counters = counters;
    this.#begin = begin;
    this.#processes = processes;
  }

  static async start(): Promise<Deployment> {
    const counters = new FrailCounters();
    const records = new MemoryRecords();
    const of = budget({ limit: 1_000_000n });
    const begin = async (): Promise<Process> => {
      const ledger = new Ledger(recordStore(records, silentLogger));
      const accounts = serving({ counters, ledger, now: () => now });
      return { accounts, account: await accounts.of("o", of) };
    };
    return new Deployment(begin, await Promise.all([begin(), begin()]), counters);
  }

  async step({ kind, process, amount, times }: Step): Promise<void> {
    const { accounts, account } = this.#processes[this.#noticing ?? process] as Process;
    switch (kind) {
      case "use":
        this.used += amount;
        return accounts.add(account, amount);
      case "settle": {
        this.used += amount;
        const once = `h${++this.#names}`;
        return void this.#running.push(accounts.settle("o", [{ account, amount, hold: once }], once, true));
      }
      case "flush":
        return void this.#running.push(accounts.flush());
      case "sync":
        return accounts.sync();
      case "mute":
        this.counters.mute += times;
        this.#isUnsure = true;
        return;
      case "lose":
        // What only one process knows, and has not kept, may be lost with the counters.
        await this.calm();
        this.counters.lose();
        this.#noticing = process;
        return;
      case "leave":
        return this.#leave(this.#noticing ?? process);
      default:
        this.counters.isAway = kind === "away";
    }
  }

  /** One ends in order, and another one begins in its place. */
  async #leave(process: number): Promise<void> {
    const { isAway } = this.counters;
    // What was asked for and not answered, and what a loss has cost, is kept by who ends, and may be counted twice.
    if (this.#isUnsure || this.#noticing !== undefined) await this.calm();
    this.counters.isAway = isAway;
    await Promise.all(this.#running);
    await this.#processes[process]?.accounts.close();
    this.#processes[process] = await this.#begin();
  }

  /** All is well, told and kept. */
  async calm(): Promise<void> {
    this.counters.mute = 0;
    this.counters.isAway = false;
    this.#isUnsure = false;
    await Promise.all(this.#running);
    this.#running = [];
    for (let time = 0; time < 3; time++) for (const { accounts } of this.#processes) await accounts.flush();
    for (const { accounts } of this.#processes) await accounts.sync();
  }

  /** What the counter says, and what each process takes it for. */
  async totals(): Promise<readonly bigint[]> {
    const known = this.#processes.map(({ account }) => account);
    return [...(await this.counters.read("o", [known[0]?.key ?? ""])), ...known.map(({ total }) => total)];
  }
}

const step = fc.record({
  kind: fc.constantFrom(
    "use",
    "use",
    "settle",
    "settle",
    "flush",
    "flush",
    "sync",
    "away",
    "back",
    "lose",
    "mute",
    "leave",
  ),
  process: fc.nat({ max: 1 }),
  amount: fc.bigInt({ min: 1n, max: 50n }),
  times: fc.integer({ min: 1, max: 3 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const one = (kind: Step["kind"], amount = 1n): Step => ({ kind, process: 0, amount, times: 1 });
const found: [Step[]][] = [
  [[one("use"), one("lose"), one("mute"), one("settle")]],
  [[one("use"), one("lose"), one("mute"), one("settle"), one("flush"), one("use", 2n)]],
  [[one("use"), one("lose"), one("mute"), one("settle", 2n), one("flush")]],
  [[one("lose"), one("mute"), one("use"), one("settle"), one("flush")]],
  [[one("use"), one("lose"), one("use", 5n), one("flush")]],
];

it("whatever happens to the counters, they say in the end what was used", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const deployment = await Deployment.start();
      for (const one of steps) await deployment.step(one);
      await deployment.calm();
      const { used } = deployment;
      expect(await deployment.totals()).toEqual([used, used, used]);
    }),
    { numRuns: 1000, examples: found },
  );
});
