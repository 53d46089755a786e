import { describe, expect, it, vi } from "vitest";
import {
  CountersError,
  type CountersService,
  MemoryCounters,
  mostCounted,
  RecordError,
  recordStore,
  sharedGroup,
} from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { keepingLogger } from "../../test/support/gateway.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import type { Account } from "./account.ts";
import { Accounts } from "./accounts.ts";
import { accountsCollection } from "./kept-account.ts";
import { Ledger } from "./ledger.ts";
import { budget, serving } from "./testing.ts";
import type { Crossed } from "./written-account.ts";

const start = Date.parse("2082-09-02T10:00Z");

/** Processes that share counters, which can be lost or away, and records. */
function deployment() {
  const clock = { now: start };
  const made = () => new MemoryCounters({ now: () => clock.now });
  const state = { memory: made(), away: false, slow: undefined as Promise<void> | undefined, waiting: 0, told: 0 };
  const call = async <Answer>(answer: () => Answer): Promise<Answer> => {
    if (state.slow) {
      state.waiting++;
      await state.slow;
    }
    if (state.away) throw new CountersError("away");
    return answer();
  };
  const counters: CountersService = {
    shared: "deployment",
    get available() {
      return !state.away;
    },
    now: () => clock.now,
    claim: (group, claims) => call(() => state.memory.claim(group, claims)),
    settle: (group, entries, once) =>
      call(() => {
        state.told++;
        return state.memory.settle(group, entries, once);
      }),
    read: (group, keys) => call(() => state.memory.read(group, keys)),
    put: (group, entries) => call(() => state.memory.put(group, entries)),
  };
  const records = new MemoryRecords();
  const crossed: Crossed[] = [];
  const log = keepingLogger();
  const process = (most?: number): Accounts =>
    serving({
      counters,
      ledger: new Ledger(recordStore(records, silentLogger)),
      log,
      now: () => clock.now,
      crossed: (_, what) => void crossed.push(what),
      ...(most !== undefined && { most }),
    });
  return {
    ...{ clock, state, records, crossed, log, process },
    lose: () => {
      state.memory = made();
    },
    total: (account: Account) => state.memory.read("o", [account.key])[0],
    /** What is kept of it. */
    kept: async (account: Account) => (await new Ledger(recordStore(records, silentLogger)).read(account))?.document,
    /** When its record goes. */
    goes: async (account: Account) => {
      const expiresAt = (await new Ledger(recordStore(records, silentLogger)).read(account))?.expiresAt;
      return expiresAt === undefined ? "never" : new Date(expiresAt).toISOString();
    },
    resetByHand: async (account: Account) => {
      const ledger = new Ledger(recordStore(records, silentLogger));
      const record = await ledger.read(account);
      return record && ledger.reset(record, clock.now);
    },
  };
}

const use = async (accounts: Accounts, amount: bigint, of = budget()): Promise<Account> => {
  const account = await accounts.of("o", of);
  accounts.add(account, amount);
  return account;
};

describe("an account that is found by its budget", () => {
  it("is that of the group that asks", async () => {
    const { process } = deployment();
    const one = process();
    const of = budget();
    const [ours, theirs] = [await one.of("o", of), await one.of("p", of)];
    expect([await one.of("o", of), await one.of("p", of)]).toEqual([ours, theirs]);
    expect([ours.group, theirs.group]).toEqual(["o", "p"]);
  });

  it("is not one that was let go", async () => {
    const { process, clock } = deployment();
    const one = process(1);
    const of = budget();
    const before = await use(one, 10n, of);
    await one.flush();
    await use(one, 1n, budget({ base: "usage:api_key:K2:tokens" }));
    await one.flush();
    const anew = await one.of("o", of);
    expect([anew === before, anew.total]).toEqual([false, 10n]);
    clock.now = Date.parse("2082-10-01T00:00Z");
    expect((await one.of("o", of)).total).toBe(0n);
  });
});

describe("counters that were lost", () => {
  it("are restored once by all who notice at the same time, with what was used meanwhile", async () => {
    const { process, lose, total } = deployment();
    const all = Array.from({ length: 4 }, () => process());
    for (const one of all) await use(one, 10n);
    for (const one of all) await one.flush();
    for (const one of all) await one.flush();
    await Promise.all(all.map((one) => one.sync()));
    lose();
    const [account] = await Promise.all(all.map((one) => use(one, 1n)));
    await Promise.all(all.map((one) => one.flush()));
    await Promise.all(all.map((one) => one.flush()));
    expect(total(account as Account)).toBe(44n);
  });

  it("are restored from the memory of processes, where the records are behind", async () => {
    const { process, lose, total } = deployment();
    const one = process();
    const account = await use(one, 10n);
    await one.flush();
    lose();
    await use(one, 1n);
    await one.flush();
    expect([total(account), account.total]).toEqual([11n, 11n]);
  });

  it("are told what was known on top of what was used meanwhile, also where that is more", async () => {
    const { process, lose, total } = deployment();
    const [one, other] = [process(), process()];
    const account = await use(one, 10n);
    await one.flush();
    await use(other, 0n);
    lose();
    const settled = [50n, 60n].map((amount, at) =>
      one.settle("o", [{ account, amount, hold: `h${at}` }], `h${at}`, true),
    );
    await use(other, 40n);
    await Promise.all([...settled, other.flush()]);
    expect([total(account), account.total]).toEqual([160n, 160n]);
  });

  it("are put right, and no more, where a replica was behind", async () => {
    const { process, state, total } = deployment();
    const one = process();
    const account = await use(one, 100n);
    await one.flush();
    await one.sync();
    state.memory.put("o", [{ key: account.key, value: 95n, expiresAt: account.expiresAt }]);
    await use(one, 1n);
    await one.flush();
    expect(total(account)).toBe(101n);
  });

  it("leave alone what is only told a second time", async () => {
    const { process, state, total } = deployment();
    const [one, other] = [process(), process()];
    const account = await use(one, 10n);
    let go = () => {};
    state.slow = new Promise((resolve) => {
      go = resolve;
    });
    const flushed = one.flush();
    state.away = true;
    go();
    await flushed;
    state.away = false;
    state.slow = undefined;
    await use(other, 5n);
    await other.flush();
    for (let i = 0; i < 3; i++) await one.flush();
    expect([total(account), account.total]).toEqual([15n, 15n]);
  });
});

describe("while the counters are away", () => {
  it("what is used is told once they are back, in one message, however long that was", async () => {
    const { process, state, total } = deployment();
    const one = process();
    const account = await use(one, 1n);
    await one.flush();
    state.away = true;
    for (let second = 0; second < 500; second++) {
      await use(one, 1n);
      await one.settle("o", [{ account, amount: 1n, hold: `h${second}` }], `h${second}`, false);
      await one.flush();
    }
    state.away = false;
    state.told = 0;
    await one.flush();
    expect([total(account), state.told]).toEqual([1001n, 1]);
  });

  it("what a process that ends could not tell is kept, and restored by the next one", async () => {
    const { process, state, total } = deployment();
    const one = process();
    const account = await use(one, 40n);
    await one.flush();
    state.away = true;
    await use(one, 2n);
    await one.close();
    state.away = false;
    await use(process(), 0n);
    expect(total(account)).toBe(42n);
  });

  it("what each of several that end could not tell is counted, and once, beside what the others tell", async () => {
    const { process, state, total, kept } = deployment();
    const [one, two, three] = [process(), process(), process()];
    const account = await use(one, 40n);
    for (const each of [one, two, three]) {
      await use(each, 0n);
      await each.flush();
    }
    state.away = true;
    await use(one, 3n);
    await use(two, 2n);
    const staying = await use(three, 7n);
    await one.close();
    await two.close();
    await three.changed("o", account.id, undefined);
    expect([staying.total, (await kept(account))?.total]).toEqual([52n, "45"]);
    state.away = false;
    await Promise.all([three.flush(), use(process(), 0n), use(process(), 0n)]);
    await three.flush();
    await three.sync();
    expect([total(account), staying.total]).toEqual([52n, 52n]);
    expect(await kept(account)).toMatchObject({ total: "52" });
    expect((await kept(account))?.untold ?? []).toEqual([]);
  });

  it("what a process leaves while its record is being written is not taken for kept by that", async () => {
    const { process, state, records } = deployment();
    const one = process();
    const account = await use(one, 40n);
    await one.flush();
    state.away = true;
    await use(one, 2n);
    const saving = new Ledger(recordStore(records, silentLogger)).save(account, start);
    account.leave("one");
    await saving;
    expect(account).toMatchObject({ leaves: { id: "one", amount: "2" }, left: 0n, kept: 40n });
  });

  it("what a process leaves is counted once, where the write of it was done and not answered", async () => {
    const { process, state, records, total, kept } = deployment();
    const one = process();
    const account = await use(one, 40n);
    await one.flush();
    await one.sync();
    state.away = true;
    await use(one, 2n);
    const { replace } = records;
    records.replace = async (...change) => {
      records.replace = replace;
      await replace(...change);
      throw new RecordError("down", "no answer");
    };
    await one.close();
    expect(await kept(account)).toMatchObject({ total: "42", untold: [{ amount: "2" }] });
    state.away = false;
    for (const each of [process(), process()]) await use(each, 0n);
    expect([total(account), (await kept(account))?.untold]).toEqual([42n, []]);
  });

  it("what a process left is counted once, where another one hears of it from the counter before the record says so", async () => {
    const { process, state, records, total, kept } = deployment();
    const [one, other] = [process(), process()];
    const account = await use(one, 40n);
    await one.flush();
    await one.sync();
    const staying = await use(other, 0n);
    state.away = true;
    await use(one, 5n);
    await one.close();
    state.away = false;
    const { replace } = records;
    records.replace = async (...change) => {
      records.replace = replace;
      await other.flush();
      await other.sync();
      return replace(...change);
    };
    await use(process(), 0n);
    for (const each of [other, process()]) await each.changed("o", account.id, undefined);
    await use(process(), 0n);
    expect(await kept(account)).toMatchObject({ total: "45", current_usage: 45, untold: [] });
    expect([total(account), staying.total]).toEqual([45n, 45n]);
  });

  it("what a process left of a period that was reset since is nobody's", async () => {
    const { process, state, total, resetByHand } = deployment();
    const one = process();
    const account = await use(one, 40n);
    await one.flush();
    state.away = true;
    await use(one, 2n);
    await one.close();
    await resetByHand(account);
    state.away = false;
    const next = await use(process(), 0n);
    expect([next.total, total(next)]).toEqual([0n, 0n]);
  });
});

describe("periods", () => {
  it("that are over are not kept over the one that has begun since", async () => {
    const { process, clock, kept } = deployment();
    const [idle, busy] = [process(), process()];
    const account = await use(idle, 10n);
    await use(busy, 10n);
    await busy.flush();
    await idle.flush();
    clock.now = Date.parse("2082-10-02T10:00Z");
    await use(busy, 3n);
    await busy.flush();
    await busy.sync();
    await idle.sync();
    expect(await kept(account)).toMatchObject({ total: "3", next_reset_at: "2082-11-01T00:00:00.000Z" });
  });

  it("whose end is moved go on, in every process, and in one that starts", async () => {
    const { process, total } = deployment();
    const [one, other] = [process(), process()];
    await use(one, 10n);
    await use(other, 20n);
    await one.flush();
    await one.sync();
    await other.flush();
    const weekly = budget({ period: { cadence: "weekly", next: undefined, since: 0, weekStart: 0 } });
    const started = await use(process(), 0n, weekly);
    expect(started.total).toBe(30n);
    await use(one, 1n, weekly);
    await use(other, 1n, weekly);
    for (const process of [one, other, one]) await process.flush();
    expect(total(started)).toBe(32n);
  });

  it("end where they are reset by hand, for what is on its way too", async () => {
    const { process, total } = deployment();
    const one = process();
    const before = await use(one, 10n);
    const key = before.key;
    await use(one, 10n, budget({ resetAt: "2082-09-02T09:59:00.000Z" }));
    await one.flush();
    const account = await one.of("o", budget({ resetAt: "2082-09-02T09:59:00.000Z" }));
    expect([account.key === key, total(account), account.total]).toEqual([false, 10n, 10n]);
  });
});

describe("what becomes of a record while an account is learnt", () => {
  /** Lets another process learn what was used, and does something when it has read the record. */
  async function learning(meanwhile: (all: ReturnType<typeof deployment>, one: Accounts) => Promise<unknown>) {
    const all = deployment();
    const [one, other] = [all.process(), all.process()];
    const { id } = await use(one, 10n);
    await one.flush();
    await one.sync();
    let go = () => {};
    all.state.slow = new Promise((resolve) => {
      go = resolve;
    });
    const learnt = other.of("o", budget());
    await vi.waitFor(() => expect(all.state.waiting).toBe(1));
    all.state.slow = undefined;
    await meanwhile(all, one);
    const told = other.changed("o", id, undefined);
    go();
    await told;
    return learnt;
  }

  it("is known when it was reset", async () => {
    const account = await learning(async ({ resetByHand }, one) => resetByHand(await one.of("o", budget())));
    expect(account.total).toBe(0n);
  });

  it("is known when its period was edited", async () => {
    const weekly = budget({ period: { cadence: "weekly", next: undefined, since: 0, weekStart: 0 } });
    const account = await learning((_, one) => one.edited("o", weekly));
    expect([account.total, account.endsAt]).toEqual([10n, Date.parse("2082-09-06T00:00Z")]);
  });
});

describe("the records", () => {
  it("agree with the counters when eight processes have settled, and each alert was told once", async () => {
    const { process, crossed, total, kept } = deployment();
    const hard = budget({ enforcement: "hard", limit: 800n, alert: 400n });
    const all = Array.from({ length: 8 }, () => process());
    const account = await use(process(), 0n, hard);
    await Promise.all(
      all.flatMap((one, at) =>
        Array.from({ length: 10 }, async (_, time) => {
          const own = await one.of("o", hard);
          await one.settle("o", [{ account: own, amount: 10n, hold: `${at}-${time}` }], `${at}-${time}`, true);
        }),
      ),
    );
    await expect.poll(async () => (await kept(account))?.total).toBe("800");
    expect(total(account)).toBe(800n);
    await expect.poll(() => crossed).toEqual(["threshold", "exhausted"]);
  });

  it("are not written for what did not change", async () => {
    const { process, records } = deployment();
    const one = process();
    await use(one, 5n);
    await one.flush();
    await one.sync();
    const before = records.asked;
    await one.sync();
    expect(records.asked).toBe(before);
  });
});

describe("the record of an account goes", () => {
  const kept = async ({ process }: ReturnType<typeof deployment>, of = budget()) => {
    const one = process();
    const account = await use(one, 5n, of);
    await one.flush();
    await one.sync();
    return [one, account] as const;
  };

  it("90 days after the end of its period, and later when it is used in the next one", async () => {
    const all = deployment();
    const [one, account] = await kept(all);
    expect(await all.goes(account)).toBe("2082-12-30T00:00:00.000Z");
    all.clock.now = Date.parse("2082-10-02T10:00Z");
    await use(one, 3n);
    await one.flush();
    await one.sync();
    expect(await all.goes(account)).toBe("2083-01-30T00:00:00.000Z");
  });

  it("never where it has no end, also where it had one before", async () => {
    const all = deployment();
    const forEver = budget({ period: { cadence: undefined, next: undefined, since: 0, weekStart: 0 } });
    const [one, account] = await kept(all);
    await use(one, 1n, forEver);
    await one.flush();
    await one.sync();
    expect(await all.goes(account)).toBe("never");
    expect(await all.kept(account)).toMatchObject({ total: "6" });
  });

  it("never where it was reset by hand, as all have to know that", async () => {
    const all = deployment();
    const [one, account] = await kept(all);
    await all.resetByHand(account);
    expect(await all.goes(account)).toBe("never");
    await one.changed("o", account.id, undefined);
    await use(one, 2n);
    await one.flush();
    await one.sync();
    expect([await all.goes(account), (await all.kept(account))?.total]).toEqual(["never", "2"]);
  });

  it("never where it had no end before, nor sooner than it was to: that period would have its name again", async () => {
    const period = { cadence: undefined, since: 0, weekStart: 0 } as const;
    for (const [next, date] of [
      [undefined, "never"],
      [Date.parse("2083-09-01T00:00Z"), "2083-11-30T00:00:00.000Z"],
    ] as const) {
      const all = deployment();
      const [one, account] = await kept(all, budget({ period: { ...period, next } }));
      for (const moment of ["2082-09-02T10:01Z", "2082-10-02T10:00Z", "2082-11-02T10:00Z", "2082-11-03T10:00Z"]) {
        all.clock.now = Date.parse(moment);
        await use(one, 1n);
        await one.flush();
        await one.sync();
      }
      expect([await all.goes(account), (await all.kept(account))?.total]).toEqual([date, "2"]);
    }
  });

  it("without harm: what is used later begins with nothing", async () => {
    const all = deployment();
    const [, account] = await kept(all);
    all.clock.now = Date.parse("2083-02-02T10:00Z");
    all.lose();
    await recordStore(all.records, silentLogger).collection(accountsCollection).remove({ tenant: "o", id: account.id });
    const [, again] = await kept(all);
    expect([again.total, (await all.kept(again))?.total]).toEqual([5n, "5"]);
  });
});

describe("very many budgets", () => {
  const nth = (n: number) => budget({ base: `usage:policy:P:metadata._user:${n}`, id: "P" });

  it("are told quickly, and those that nobody has used for an hour are forgotten", async () => {
    const { process, clock, state } = deployment();
    const one = process();
    const count = 20_000;
    for (let n = 0; n < count; n++) await use(one, 1n, nth(n));
    state.told = 0;
    await one.flush();
    expect(state.told).toBe(count / 200);
    clock.now += 3_600_001;
    await one.flush();
    expect(one.size).toBe(0);
  });

  it("are bounded: the oldest go, and where something of them was not told the log says so, once", async () => {
    const { process, state, log } = deployment();
    const one = process(100);
    state.away = true;
    for (let n = 0; n < 150; n++) await use(one, 1n, nth(n));
    await one.flush();
    expect(one.size).toBe(100);
    expect(log.lines.filter(({ level }) => level === "warn")).toHaveLength(1);
  });
});

describe("records that are away", () => {
  const away = () => {
    const gone = new RecordError("down", "The store of the records is away.");
    return vi.spyOn(Ledger.prototype, "read").mockRejectedValue(gone);
  };

  it("do not hide what the counters say of an account that nobody has asked for before", async () => {
    const { process } = deployment();
    const read = away();
    try {
      const one = process();
      const account = await use(one, 600n);
      await one.flush();
      expect(account.total).toBe(600n);
      await use(one, 600n);
      await one.flush();
      await one.flush();
      expect(account.total).toBe(1_200n);
      expect((await process().of("o", budget())).total).toBe(1_200n);
    } finally {
      read.mockRestore();
    }
  });

  it("are heard when they are back", async () => {
    const { process, lose } = deployment();
    const before = process();
    await use(before, 500n);
    await before.flush();
    await before.sync();
    lose();
    const read = away();
    const one = process();
    const account = await use(one, 20n);
    await one.flush();
    expect(account.total).toBe(20n);
    read.mockRestore();
    await one.flush();
    expect(account.total).toBe(520n);
  });
});

it("a process that only looks, with counters of its own, believes the records", async () => {
  const { process, records } = deployment();
  const serving = process();
  await use(serving, 700n);
  await serving.flush();
  await serving.sync();
  const looking = new Accounts({
    settleInterval: 0,
    counters: new MemoryCounters({ now: () => start }),
    ledger: new Ledger(recordStore(records, silentLogger)),
    log: silentLogger,
    now: () => start,
    crossed: () => {},
  });
  expect((await looking.of("o", budget())).total).toBe(700n);
});

it("an account beyond what counters hold is used up when it is read again", async () => {
  const { process, lose, log } = deployment();
  const one = process();
  const account = await use(one, 0n);
  account.known = mostCounted * 4n;
  account.renewed = true;
  await one.sync();
  lose();
  const again = await process().of("o", budget());
  expect(again.total > again.budget.limit).toBe(true);
  expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

it("what callers of no organisation were counted for apart is of the account they share", async () => {
  const { process } = deployment();
  const earlier = process();
  // Policies of the file are those of organisations, too.
  for (const group of ['["principal","one"]', '["principal","two"]', "o"])
    earlier.add(await earlier.of(group, budget()), 300n);
  await earlier.flush();
  await earlier.sync();
  const one = process();
  const shared = await one.of(sharedGroup, budget());
  expect(shared.total).toBe(600n);
  one.add(shared, 50n);
  await one.flush();
  await one.sync();
  expect((await process().of(sharedGroup, budget())).total).toBe(650n);
});
