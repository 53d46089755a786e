import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MemoryCounters, recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import { Account } from "./account.ts";
import { Keeper } from "./keeping.ts";
import { Ledger } from "./ledger.ts";
import { budget, serving } from "./testing.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2082-09-02T10:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

it("writes what one budget counts once in an interval, however often it is asked", async () => {
  const writes: number[] = [];
  const save = (account: Account) => {
    writes.push(Number(account.known));
    account.kept = account.known;
    return Promise.resolve([]);
  };
  const keeper = new Keeper({
    ledger: { save } as unknown as Ledger,
    now: Date.now,
    crossed: () => undefined,
    restore: () => Promise.resolve(),
    trouble: (error) => expect.unreachable(String(error)),
    settleInterval: 100,
  });
  const account = new Account("o", budget(), undefined);
  account.turn(account.budget, Date.now());
  for (let millisecond = 0; millisecond < 250; millisecond++) {
    account.known += 1n;
    keeper.saveSoon(account);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(100);
  expect(writes).toEqual([1, 100, 200, 250]);
});

it("keeps at once what a hard budget counts of answers that it held no room for, as of turns of a session", async () => {
  vi.useRealTimers();
  const now = Date.now;
  const counters = Object.assign(new MemoryCounters({ now }), { shared: "deployment" as const, available: true });
  const ledger = new Ledger(recordStore(new MemoryRecords(), silentLogger));
  const accounts = serving({ counters, ledger, now });
  const [soft, hard] = [budget({ base: "soft" }), budget({ base: "hard", enforcement: "hard" })];
  const found = await Promise.all([accounts.of("o", soft), accounts.of("o", hard)]);
  for (const account of found) accounts.add(account, 5n);
  const kept = () => Promise.all(found.map(async (account) => (await ledger.read(account))?.document.total));
  await expect.poll(kept).toEqual([undefined, "5"]);
});

it("keeps what was used while records were away, though nobody has used it for long, and other budgets are let go", async () => {
  const now = Date.now;
  const counters = new MemoryCounters({ now });
  const records = new MemoryRecords();
  const ledger = new Ledger(recordStore(records, silentLogger));
  const accounts = serving({ counters, ledger, now });
  const [used, unused] = [budget({ base: "used" }), budget({ base: "unused" })];
  const account = await accounts.of("o", used);
  await accounts.of("o", unused);
  records.down = true;
  accounts.add(account, 5n);
  for (let hour = 0; hour < 4; hour++) {
    await accounts.flush();
    await accounts.sync();
    vi.setSystemTime(Date.now() + 3_700_000);
  }
  expect(accounts.size).toBe(1);
  records.down = false;
  await accounts.sync();
  expect((await ledger.read(account))?.document.total).toBe("5");
  // Then it goes as well.
  vi.setSystemTime(Date.now() + 3_700_000);
  await accounts.flush();
  expect(accounts.size).toBe(0);
});
