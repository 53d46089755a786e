import { describe, expect, it } from "vitest";
import { MemoryCounters, recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import type { Account } from "./account.ts";
import type { Accounts } from "./accounts.ts";
import { Ledger } from "./ledger.ts";
import { budget as monthly, serving } from "./testing.ts";
import type { Crossed } from "./written-account.ts";

const budget = monthly();

/** Processes that share counters and records. */
function deployment(from: string) {
  const clock = { now: Date.parse(from) };
  const now = () => clock.now;
  const counters = Object.assign(new MemoryCounters({ now }), { shared: "deployment" as const, available: true, now });
  const records = new MemoryRecords();
  const crossed: Crossed[] = [];
  const process = () => {
    const ledger = new Ledger(recordStore(records, silentLogger));
    return serving({ counters, ledger, now, crossed: (_, what) => void crossed.push(what) });
  };
  const kept = async (account: Account) =>
    (await new Ledger(recordStore(records, silentLogger)).read(account))?.document;
  return { clock, crossed, process, kept };
}

const use = async (accounts: Accounts, amount: bigint, of = budget): Promise<Account> => {
  const account = await accounts.of("o", of);
  accounts.add(account, amount);
  return account;
};

it("tells once that a period has ended, whoever notices, and not of a reset by hand", async () => {
  const { clock, process, crossed, kept } = deployment("2082-09-30T23:30Z");
  const all = Array.from({ length: 4 }, process);
  const [account] = await Promise.all(all.map((one) => use(one, 10n)));
  const round = async () => {
    for (const one of all) await one.flush();
    await Promise.all(all.map((one) => one.sync()));
  };
  await round();
  expect(crossed).toEqual([]);
  clock.now = Date.parse("2082-10-01T00:00:30Z");
  for (let time = 0; time < 3; time++) await round();
  expect(crossed).toEqual(["period"]);
  expect(await kept(account as Account)).toMatchObject({
    total: "0",
    status: "active",
    next_reset_at: "2082-11-01T00:00:00.000Z",
  });
  // One that comes later learns of the end of a period when the budget is used again.
  await use(all[0] as Accounts, 10n);
  await round();
  clock.now = Date.parse("2082-11-02T00:00Z");
  const late = process();
  await use(late, 10n);
  await late.flush();
  await late.sync();
  await round();
  expect(crossed).toEqual(["period", "period"]);
  const byHand = { ...budget, resetAt: "2082-11-02T00:00:01.000Z" };
  for (const one of all) await use(one, 1n, byHand);
  await round();
  expect(crossed).toEqual(["period", "period"]);
});

describe("an edit of a period", () => {
  const day = 86_400_000;
  const every = (days: number) => ({ ...budget, period: { ...budget.period, cadence: { days } } });
  const start = "2082-09-02T10:00Z";

  it.each([
    ["longer", 2, 20, "10"],
    ["shorter", 20, 2, "0"],
  ])("to a %s one is learnt by processes that are not asked for it", async (_, before, after, total) => {
    const { clock, process, kept } = deployment(start);
    clock.now -= (clock.now % (20 * day)) - day / 2;
    const [editing, idle, late] = [process(), process(), process()];
    const account = await use(idle, 10n, every(before));
    await use(editing, 0n, every(before));
    await idle.flush();
    await idle.sync();
    await editing.edited("o", every(after));
    // As the store of the records tells it.
    await idle.changed("o", account.id, (account.record?.version ?? 0) + 1);
    clock.now += 3 * day;
    for (const one of [idle, editing, idle]) {
      await one.sync();
      await one.flush();
    }
    expect(await kept(account)).toMatchObject({ total });
    expect((await use(late, 0n, every(after))).total).toBe(BigInt(total));
  });

  it("is not undone by a process that has not heard of it, nor by one that writes late", async () => {
    const { clock, process, kept } = deployment(start);
    clock.now -= (clock.now % (20 * day)) - day / 2;
    const [editing, deaf] = [process(), process()];
    const account = await use(deaf, 10n, every(2));
    await deaf.flush();
    await deaf.sync();
    await editing.edited("o", every(20));
    deaf.add(account, 5n);
    await deaf.flush();
    await deaf.sync();
    await deaf.sync();
    clock.now += 3 * day;
    await deaf.sync();
    await deaf.flush();
    expect(await kept(account)).toMatchObject({ total: "15" });
  });
});

it("a period that comes back after another one was over begins with nothing", async () => {
  const { clock, process, kept } = deployment("2082-09-02T10:00Z");
  const [one, other] = [process(), process()];
  const account = await use(one, 10n);
  await one.flush();
  await one.sync();
  const weekly = { ...budget, period: { ...budget.period, cadence: "weekly" as const } };
  await one.edited("o", weekly);
  clock.now = Date.parse("2082-09-10T10:00Z");
  await one.edited("o", budget);
  expect((await use(one, 3n)).total).toBe(3n);
  await one.flush();
  await one.sync();
  expect(await kept(account)).toMatchObject({ total: "3" });
  expect((await use(other, 0n)).total).toBe(3n);
});

it("a thing that was reset is not taken back by a process that has not been asked for it since", async () => {
  const { process, crossed, kept } = deployment("2082-09-02T10:00Z");
  const [one, idle] = [process(), process()];
  await use(idle, 2_000n);
  await idle.flush();
  await idle.sync();
  const account = await use(one, 0n, { ...budget, resetAt: "2082-09-02T10:00:00.001Z" });
  one.add(account, 1_500n);
  for (let time = 0; time < 3; time++) {
    for (const process of [one, idle]) {
      await process.changed("o", account.id, undefined);
      await process.flush();
      await process.sync();
    }
    expect(await kept(account)).toMatchObject({ total: "1500", epoch: account.epoch });
  }
  expect(crossed).toEqual(["exhausted", "exhausted"]);
});

it.each([
  ["lowered", 40n, 50n],
  ["raised", 200n, 81n],
])(
  "limits that are %s are told of once, also where a process writes that has not been asked since",
  async (_, limit, used) => {
    const { process, crossed } = deployment("2082-09-02T10:00Z");
    const [asked, idle] = [process(), process()];
    const before = { ...budget, limit: 80n, version: 1 };
    const account = await use(idle, used, before);
    await use(asked, 0n, before);
    const after = { ...before, limit, version: 2 };
    for (let time = 0; time < 3; time++) {
      for (const one of [idle, asked]) {
        if (one === idle) idle.add(account, 1n);
        else await use(asked, 1n, after);
        await one.flush();
        await one.sync();
      }
    }
    expect(crossed).toEqual(["exhausted"]);
  },
);

const day = 86_400_000;

describe("a period of a file that is older than that of another gateway", () => {
  const older = monthly({ limit: 20n, version: 1, period: { ...budget.period, cadence: { days: 20 } } });
  const newer = monthly({ limit: 20n, version: 2, period: { ...budget.period, cadence: { days: 2 } } });
  const begun = () => {
    const made = deployment("2082-09-02T10:00Z");
    made.clock.now -= (made.clock.now % (20 * day)) - day / 2;
    const told = async (one: Accounts, amount: bigint, of: typeof older) => {
      const account = await use(one, amount, of);
      await one.flush();
      await one.sync();
      return account;
    };
    return { ...made, told };
  };

  it("does not hold when its gateway starts last", async () => {
    const { process, told, clock } = begun();
    await told(process(), 1n, newer);
    clock.now += day / 2;
    const { endsAt } = await told(process(), 1n, older);
    expect(endsAt).toBe(clock.now + day);
  });

  it.each([
    ["", true],
    [", in a gateway that went by the newer one", false],
  ])("holds again when nobody has gone by the newer one for a day%s", async (_, isNew) => {
    const { process, told, clock, kept } = begun();
    const [last, left] = [process(), process()];
    const end = clock.now + 19.5 * day;
    await told(last, 1n, newer);
    await told(left, 1n, older);
    for (let time = 0; time < 4; time++) {
      clock.now += day / 4;
      expect((await told(left, 1n, older)).endsAt).toBeLessThan(end);
    }
    clock.now += day / 4;
    const one = isNew ? process() : left;
    const account = await told(one, 1n, older);
    await told(one, 1n, older);
    expect(account.endsAt).toBe(end);
    expect(await kept(account)).toMatchObject({ total: "8", limits: { version: 1, saidAt: clock.now } });
    // And not where somebody does.
    expect((await told(last, 1n, newer)).endsAt).toBeLessThan(end);
    expect((await told(process(), 1n, older)).endsAt).toBeLessThan(end);
  });
});

describe("a period of the file, after a reload, in the generation before", () => {
  /** As it was loaded so often. */
  const loaded = (version: number, days: number) => ({
    ...{ ...budget, limit: 20n, version },
    period: { ...budget.period, cadence: { days } },
  });
  const rounds = async (all: readonly Accounts[], account: Account) => {
    for (let time = 0; time < 3; time++)
      for (const one of all) {
        await one.flush();
        await one.sync();
        // As the store of the records tells them.
        for (const other of all) if (other !== one) await other.changed("o", account.id, undefined);
      }
  };

  it.each([
    ["shorter", 20, 2, 4n],
    ["longer", 2, 20, 14n],
  ])("is %s, too: what was told of the one before is not told again", async (_, before, after, total) => {
    const { clock, process, kept, crossed } = deployment("2082-09-02T10:00Z");
    clock.now -= (clock.now % (20 * day)) - day / 2;
    const [old, next] = [process(), process()];
    const account = await use(old, 10n, loaded(1, before));
    await rounds([old], account);
    await use(next, 0n, loaded(2, after));
    await rounds([old, next], account);
    clock.now += 3 * day;
    await use(next, 2n, loaded(2, after));
    await rounds([next, old], account);
    // An open socket uses it, and asks for it once more.
    old.add(account, 1n);
    await use(old, 1n, loaded(1, before));
    await rounds([next, old], account);
    expect(await kept(account)).toMatchObject({ total: `${total}` });
    for (const one of [old, next]) expect(one.known("o", budget)?.total).toBe(total);
    expect(crossed.filter((what) => what !== "period")).toEqual([]);
    const { record } = (await next.of("o", loaded(2, after))) as Account;
    await rounds([old, next], account);
    expect((await next.of("o", loaded(2, after))).record?.version).toBe(record?.version);
  });
});
