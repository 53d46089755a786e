import { setImmediate } from "node:timers";
import { afterEach, expect, it, vi } from "vitest";
import { MemoryCounters, recordStore, sharedGroup } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import { policyCounters } from "./entities.ts";
import { Ledger } from "./ledger.ts";
import { budget, serving } from "./testing.ts";

afterEach(() => void vi.useRealTimers());

/** As many budgets of a policy as there are users, each of which has used something. */
async function counted(users: number) {
  const ledger = new Ledger(recordStore(new MemoryRecords(), silentLogger));
  const accounts = serving({
    counters: Object.assign(new MemoryCounters({ now: Date.now }), { shared: "process", available: true } as const),
    ledger,
    now: Date.now,
  });
  for (let user = 0; user < users; user++) {
    const valueKey = `metadata._user:${user}`;
    const one = budget({ base: `usage:policy:p:${valueKey}`, level: "policy", id: "p", policy: { id: "p", valueKey } });
    accounts.add(await accounts.of(sharedGroup, one), 5n);
  }
  return { ledger, accounts };
}

/** How often others have had their turn while something was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const others = () => {
    turns++;
    if (!over) setImmediate(others);
  };
  setImmediate(others);
  await work();
  over = true;
  return turns;
}

it("requests have their turn while many budgets are told to counters of this process, and while many are read", async () => {
  const { accounts, ledger } = await counted(2_100);
  expect(await turnsDuring(() => accounts.flush())).toBeGreaterThan(5);
  await accounts.sync();
  let found: readonly unknown[] = [];
  const turns = await turnsDuring(async () => {
    found = await ledger.ofPolicy(sharedGroup, "p");
  });
  expect(found).toHaveLength(2_100);
  expect(turns).toBeGreaterThan(1);
});

it("whoever looks at the counters of a policy does not wait for all that is still to be kept", async () => {
  const { accounts, ledger } = await counted(1);
  await accounts.flush();
  await accounts.sync();
  vi.useFakeTimers();
  vi.spyOn(accounts, "sync").mockReturnValue(new Promise(() => undefined));
  const looking = policyCounters(ledger, accounts, { now: Date.now, log: silentLogger }).entities(undefined, "p");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await looking).toMatchObject([{ valueKey: "metadata._user:0", currentUsage: 5 }]);
});
