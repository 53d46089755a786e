import { expect, it } from "vitest";
import { CountersError, type CountersService, MemoryCounters, recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import type { Accounts } from "./accounts.ts";
import { Ledger } from "./ledger.ts";
import { budget, serving } from "./testing.ts";

const monthly = budget();
const weekly = { ...monthly, period: { ...monthly.period, cadence: "weekly" as const } };

/** Processes that share counters and records. */
function deployment() {
  const clock = { now: Date.parse("2082-09-02T10:00Z"), isDead: false };
  const now = () => clock.now;
  const memory = new MemoryCounters({ now });
  const alive = (): MemoryCounters => {
    if (clock.isDead) throw new CountersError("no answer");
    return memory;
  };
  const counters: CountersService = {
    ...{ shared: "deployment", available: true, now },
    claim: (...asked) => alive().claim(...asked),
    settle: (...asked) => alive().settle(...asked),
    read: (...asked) => alive().read(...asked),
    put: (...asked) => alive().put(...asked),
  };
  const records = recordStore(new MemoryRecords(), silentLogger, now);
  const process = () => serving({ counters, ledger: new Ledger(records), now });
  return { clock, process };
}

const use = async (accounts: Accounts, of = monthly) => {
  const account = await accounts.of("o", of);
  accounts.add(account, 1n);
  await accounts.flush();
  await accounts.sync();
  return account;
};

it.each(["by the management API", "by the file"])(
  "a period that is made longer %s is not counted twice",
  async (how) => {
    const { clock, process } = deployment();
    const first = process();
    await use(first, weekly);
    clock.now += 1000;
    const one = how.endsWith("API") ? first : process();
    if (one === first) await one.edited("o", monthly);
    await use(one);
    // Long after the week, one that is owed an answer ends: what it told is kept, and no counter has it.
    clock.now = Date.parse("2082-09-09T10:00Z");
    const account = await use(one);
    one.add(account, 5n);
    clock.isDead = true;
    await one.flush();
    await one.close();
    clock.isDead = false;
    expect((await process().of("o", monthly)).total).toBe(8n);
  },
);
