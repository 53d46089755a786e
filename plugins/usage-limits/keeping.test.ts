import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Account } from "./account.ts";
import { Keeper } from "./keeping.ts";
import type { Ledger } from "./ledger.ts";
import { budget } from "./testing.ts";

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
