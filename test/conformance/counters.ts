import { expect, it } from "vitest";
import type { Claim, CountersService } from "../../core/index.ts";
import { countersAgreeWithTheModel, type Outcome, outcomeOf } from "./counters-model.ts";

/** The same counters as two processes see them, where there is more than one, under a clock of the test's. */
export interface SharedCounters {
  readonly one: CountersService;
  readonly other: CountersService;
  /** Unix milliseconds by the clock of the counters. */
  time(): number;
  pass(milliseconds: number): Promise<void>;
}

/** Asked for new counters by each test. */
export type CountersDeployment = () => Promise<SharedCounters>;

const minute = 60_000;

/** A deployment with short ways to say things: claims of one unit of a large limit for a minute, unless said otherwise. */
async function begun(deployment: CountersDeployment) {
  const shared = await deployment();
  const { one, other, time } = shared;
  const some = (claim: Partial<Claim>): Claim => ({
    ...{ key: "k", limit: 1000n, rule: "within", amount: 1n, expiresAt: time() + minute },
    ...claim,
  });
  return {
    ...shared,
    claim: async (...claims: Partial<Claim>[]) => outcomeOf(await one.claim("g", claims.map(some))),
    claimedAt: async (claim: Partial<Claim>): Promise<number> => {
      const claimed = await one.claim("g", [some(claim)]);
      return claimed.granted ? claimed.claimedAt : Number.NaN;
    },
    settle: async (key: string, amount: bigint, hold?: string, once?: string) =>
      other.settle("g", [{ key, amount, expiresAt: time() + minute, ...(hold !== undefined && { hold }) }], once),
    read: async (...keys: string[]) => other.read("g", keys),
    hold: (id: string, milliseconds = minute) => ({ id, until: time() + milliseconds }),
  };
}

const granted = (...totals: bigint[]): Outcome => ({ granted: true, totals });
const refused = (at: number, ...totals: bigint[]): Outcome => ({ granted: false, at, totals });

/** What holds of all counters. */
export function holdsTheCountersContract(deployment: CountersDeployment): void {
  claims(deployment);
  holds(deployment);
  steps(deployment);
  expiry(deployment);
  amounts(deployment);
  countersAgreeWithTheModel(deployment);
}

function claims(deployment: CountersDeployment): void {
  it("grants up to the limit, and for every process the same", async () => {
    const { claim, read, other, time } = await begun(deployment);
    expect(await claim({ limit: 3n })).toEqual(granted(1n));
    const more = { ...within, expiresAt: time() + minute, limit: 3n, amount: 2n };
    expect(outcomeOf(await other.claim("g", [more]))).toEqual(granted(3n));
    expect(await claim({ limit: 3n })).toEqual(refused(0, 3n));
    expect(await claim({ limit: 4n })).toEqual(granted(4n));
    expect(await read("k", "never")).toEqual([4n, 0n]);
  });

  it("raises all or none, and names the first that does not hold", async () => {
    const { claim, read } = await begun(deployment);
    await claim({ key: "b", amount: 5n });
    expect(await claim({ key: "a" }, { key: "b", limit: 5n }, { key: "c", limit: 0n })).toEqual(refused(1, 0n, 5n, 0n));
    expect(await read("a", "b", "c")).toEqual([0n, 5n, 0n]);
    expect(await claim({ key: "a" }, { key: "b", limit: 6n }, { key: "c" })).toEqual(granted(1n, 6n, 1n));
    expect(await claim()).toEqual(granted());
  });

  it("takes `below` for what is there, and `within` for what will be", async () => {
    const { claim } = await begun(deployment);
    expect(await claim({ rule: "below", limit: 5n, amount: 100n })).toEqual(granted(100n));
    expect(await claim({ rule: "below", limit: 100n, amount: 0n })).toEqual(refused(0, 100n));
    expect(await claim({ rule: "below", limit: 101n, amount: 0n })).toEqual(granted(100n));
    expect(await claim({ rule: "within", limit: 100n, amount: 0n })).toEqual(granted(100n));
    expect(await claim({ rule: "within", limit: 99n, amount: 0n })).toEqual(refused(0, 100n));
  });

  it("lets nothing through a limit of 0, and only looks with an amount of 0", async () => {
    const { claim, read, hold } = await begun(deployment);
    expect(await claim({ rule: "below", limit: 0n, amount: 0n })).toEqual(refused(0, 0n));
    expect(await claim({ rule: "within", limit: 0n })).toEqual(refused(0, 0n));
    expect(await claim({ rule: "within", limit: 0n, amount: 0n, hold: hold("h") })).toEqual(granted(0n));
    expect(await read("k")).toEqual([0n]);
  });

  it("counts one after the other what is claimed of one counter at once", async () => {
    const { claim, read } = await begun(deployment);
    expect(await claim({ limit: 2n }, { limit: 2n })).toEqual(granted(2n, 2n));
    expect(await claim({ limit: 3n }, { limit: 3n })).toEqual(refused(1, 2n, 2n));
    expect(await read("k")).toEqual([2n]);
  });

  it("adds a share of the window before, rounded down", async () => {
    const { claim, settle, hold } = await begun(deployment);
    await settle("before", 10n);
    await claim({ key: "before", amount: 5n, hold: hold("late") });
    const carry = { key: "before", share: 0.5 };
    expect(await claim({ limit: 8n, carry })).toEqual(granted(8n));
    expect(await claim({ limit: 8n, carry })).toEqual(refused(0, 8n));
    expect(await claim({ limit: 8n, carry: { ...carry, share: 0.45 } })).toEqual(granted(8n));
    expect(await claim({ limit: 17n, amount: 0n, carry: { ...carry, share: 1 } })).toEqual(granted(17n));
    expect(await claim({ limit: 2n, amount: 0n, carry: { ...carry, share: 0 } })).toEqual(granted(2n));
    expect(await claim({ limit: 2n, amount: 0n, carry: { key: "never", share: 1 } })).toEqual(granted(2n));
  });

  it("keeps groups apart, whatever their names", async () => {
    const { one, time } = await begun(deployment);
    const names = ["g", "", "{", "}", "{g}", "%7Bg%7D", "g:c", "ä b", "g\n"];
    for (const [at, name] of names.entries())
      await one.claim(name, [{ ...within, amount: BigInt(at + 1), expiresAt: time() + minute }]);
    for (const [at, name] of names.entries()) expect(await one.read(name, ["k"])).toEqual([BigInt(at + 1)]);
    const entries = [{ key: "k", amount: 1n, expiresAt: time() + minute }];
    for (const [at, name] of names.entries()) expect(await one.settle(name, entries, "same")).toEqual([BigInt(at + 2)]);
  });
}

const within = { key: "k", limit: 1000n, rule: "within", amount: 1n } as const;

function holds(deployment: CountersDeployment): void {
  it("counts what is held, until it is settled", async () => {
    const { claim, settle, read, hold } = await begun(deployment);
    expect(await claim({ limit: 10n, amount: 6n, hold: hold("a") })).toEqual(granted(6n));
    expect(await claim({ limit: 10n, amount: 5n, hold: hold("b") })).toEqual(refused(0, 6n));
    expect(await claim({ limit: 10n, amount: 4n, hold: hold("b") })).toEqual(granted(10n));
    expect(await read("k")).toEqual([0n]);
    expect(await settle("k", 2n, "a")).toEqual([2n]);
    expect(await claim({ limit: 10n, amount: 5n })).toEqual(refused(0, 6n));
    expect(await claim({ limit: 10n, amount: 4n })).toEqual(granted(10n));
    expect(await settle("k", 0n, "b")).toEqual([6n]);
    expect(await claim({ amount: 0n })).toEqual(granted(6n));
  });

  it("lets a hold end once, and by its own id", async () => {
    const { claim, settle, hold } = await begun(deployment);
    await claim({ amount: 6n, hold: hold("a") });
    expect(await settle("k", 0n, "none")).toEqual([0n]);
    expect(await settle("other", 0n, "a")).toEqual([0n]);
    expect(await claim({ amount: 0n })).toEqual(granted(6n));
    expect(await settle("k", 1n, "a")).toEqual([1n]);
    expect(await settle("k", 1n, "a")).toEqual([2n]);
    expect(await claim({ amount: 0n })).toEqual(granted(2n));
  });

  it("puts a hold in the place of one with its id, so that a claim may be repeated", async () => {
    const { claim, settle, hold } = await begun(deployment);
    expect(await claim({ limit: 10n, amount: 6n, hold: hold("a") })).toEqual(granted(6n));
    expect(await claim({ limit: 10n, amount: 6n, hold: hold("a") })).toEqual(granted(6n));
    expect(await claim({ limit: 10n, amount: 11n, hold: hold("a") })).toEqual(refused(0, 6n));
    const both = await claim({ limit: 10n, amount: 9n, hold: hold("a") }, { key: "c", limit: 0n });
    expect(both).toEqual(refused(1, 6n, 0n));
    expect(await claim({ limit: 10n, amount: 3n, hold: hold("a") })).toEqual(granted(3n));
    expect(await settle("k", 1n, "a")).toEqual([1n]);
    expect(await claim({ amount: 0n })).toEqual(granted(1n));
  });

  it("forgets holds when their time is over, each at its own", async () => {
    const { claim, settle, hold, pass } = await begun(deployment);
    await claim({ amount: 4n, hold: hold("long", 3000) }, { key: "l", amount: 4n, hold: hold("long", 3000) });
    await claim({ amount: 2n, hold: hold("short", 1000) });
    await pass(999);
    expect(await claim({ amount: 0n })).toEqual(granted(6n));
    await pass(1);
    expect(await claim({ amount: 0n })).toEqual(granted(4n));
    expect(await settle("k", 7n, "short")).toEqual([7n]);
    expect(await claim({ amount: 0n })).toEqual(granted(11n));
    await pass(2000);
    expect(await claim({ limit: 7n, amount: 0n }, { key: "l", amount: 0n })).toEqual(granted(7n, 0n));
  });
}

function steps(deployment: CountersDeployment): void {
  it("answers totals in the order of the entries, without what is held", async () => {
    const { one, claim, hold, time } = await begun(deployment);
    await claim({ key: "a", amount: 5n, hold: hold("h") });
    const entry = (key: string, amount: bigint) => ({ key, amount, expiresAt: time() + minute });
    expect(await one.settle("g", [entry("b", 2n), entry("a", 1n), entry("b", -5n)])).toEqual([-3n, 1n, -3n]);
    expect(await one.settle("g", [])).toEqual([]);
  });

  it("does a step once, however often it is asked for, and forgets that after ten minutes", async () => {
    const { one, claim, settle, read, hold, pass } = await begun(deployment);
    await claim({ amount: 3n, hold: hold("h") });
    expect(await settle("k", 5n, "h", "step")).toEqual([5n]);
    expect(await settle("k", 1n)).toEqual([6n]);
    const again = await Promise.all([1, 2, 3].map(() => settle("k", 5n, "h", "step")));
    expect(again).toEqual([[5n], [5n], [5n]]);
    expect(await settle("k", 5n, undefined, "other step")).toEqual([11n]);
    await pass(9 * minute);
    expect(await settle("k", 5n, "h", "step")).toEqual([5n]);
    expect(await one.read("g", ["k"])).toEqual([0n]);
    await pass(minute);
    expect(await settle("k", 5n, "h", "step")).toEqual([5n]);
    expect(await read("k")).toEqual([5n]);
  });

  it("takes back what was claimed where it was counted, and nowhere else", async () => {
    const { other, claim, claimedAt, read, hold, time, pass } = await begun(deployment);
    const takeBack = (since: number, more: object = {}) =>
      other.settle("g", [{ key: "k", amount: -1n, since, expiresAt: time() + minute, ...more }]);
    const first = await claimedAt({ amount: 2n, expiresAt: time() + 1000 });
    expect(await takeBack(first, { expiresAt: time() })).toEqual([1n]);
    await pass(1000);
    // It is over, and then another one.
    expect(await takeBack(first)).toEqual([0n]);
    const second = await claimedAt({ amount: 3n });
    await claim({ amount: 4n, hold: hold("h") });
    expect(await takeBack(first, { hold: "h" })).toEqual([3n]);
    expect(await claim({ amount: 0n })).toEqual(granted(3n));
    expect(await takeBack(second)).toEqual([2n]);
    expect(await read("k")).toEqual([2n]);
  });

  it("puts counters to a value, and leaves what is held", async () => {
    const { one, claim, read, hold, time } = await begun(deployment);
    await claim({ amount: 5n }, { amount: 2n, hold: hold("h") });
    await one.put("g", [
      { key: "k", value: 1n, expiresAt: time() + 1 },
      { key: "new", value: -7n, expiresAt: time() + minute },
    ]);
    expect(await read("k", "new")).toEqual([1n, -7n]);
    expect(await claim({ amount: 0n })).toEqual(granted(3n));
    expect(await read()).toEqual([]);
  });
}

function expiry(deployment: CountersDeployment): void {
  it("forgets a counter when its time is over, and not before the last of those it was told", async () => {
    const { claim, settle, read, time, pass } = await begun(deployment);
    await claim({ amount: 5n, expiresAt: time() + 2000 });
    await claim({ amount: 5n, expiresAt: time() + 1000 });
    await pass(1999);
    expect(await claim({ amount: 0n })).toEqual(granted(10n));
    expect(await read("k")).toEqual([10n]);
    await pass(1);
    expect(await read("k")).toEqual([0n]);
    expect(await claim({ limit: 1n, expiresAt: time() + 1000 })).toEqual(granted(1n));
    expect(await settle("k", 1n)).toEqual([2n]);
    await pass(1000);
    expect(await read("k")).toEqual([2n]);
  });

  it("does not keep a counter longer because of a claim that was refused or only looked", async () => {
    const { claim, settle, read, time, pass } = await begun(deployment);
    await claim({ expiresAt: time() + 1000 });
    await claim({}, { key: "other", limit: 0n });
    await claim({ amount: 0n });
    await settle("k", 0n);
    await pass(1000);
    expect(await read("k")).toEqual([0n]);
  });

  it("keeps for ever what is to be kept for ever", async () => {
    const { claim, read, pass } = await begun(deployment);
    await claim({ expiresAt: Number.POSITIVE_INFINITY }, { key: "l", expiresAt: Number.MAX_SAFE_INTEGER });
    await pass(365 * 24 * 60 * minute);
    expect(await read("k", "l")).toEqual([1n, 1n]);
  });

  it("counts nothing where the time is over before it began", async () => {
    const { claim, settle, read, hold, time } = await begun(deployment);
    expect(await claim({ limit: 1n, expiresAt: time() })).toEqual(granted(0n));
    expect(await claim({ limit: 1n, hold: hold("h", 0) })).toEqual(granted(0n));
    expect(await settle("k", 1n, "h")).toEqual([1n]);
    expect(await read("k")).toEqual([1n]);
  });
}

/** Where doubles end, where 64 bits end, and where ten to the fifteenth turns over. */
const edges = [10n ** 15n, 2n ** 53n, 2n ** 62n, 9n * 10n ** 18n, 2n ** 63n, 2n ** 64n, 10n ** 26n];

function amounts(deployment: CountersDeployment): void {
  it("is exact where doubles and 64 bits are not", async () => {
    const { claim, settle, read, hold, one, time } = await begun(deployment);
    for (const edge of edges) {
      const key = `e${edge}`;
      await one.put("g", [{ key, value: edge - 2n, expiresAt: time() + minute }]);
      expect(await claim({ key, limit: edge - 1n })).toEqual(granted(edge - 1n));
      expect(await claim({ key, limit: edge - 1n })).toEqual(refused(0, edge - 1n));
      expect(await claim({ key, limit: edge - 1n, rule: "below" })).toEqual(refused(0, edge - 1n));
      expect(await claim({ key, limit: edge, hold: hold("h") })).toEqual(granted(edge));
      expect(await claim({ key, limit: edge, hold: hold("i") })).toEqual(refused(0, edge));
      expect(await claim({ key, limit: edge + 1n, rule: "below" })).toEqual(granted(edge + 1n));
      expect(await settle(key, 2n, "h")).toEqual([edge + 2n]);
      expect(await settle(key, -2n * edge)).toEqual([2n - edge]);
      expect(await settle(key, edge - 3n)).toEqual([-1n]);
      expect(await settle(key, 1n - edge)).toEqual([-edge]);
      expect(await read(key)).toEqual([-edge]);
      expect(await settle(key, edge - 1n)).toEqual([-1n]);
      const whole = { key: "whole", limit: 0n, amount: 0n, carry: { key, share: 0.5 } };
      expect(await claim(whole)).toEqual(granted(-1n));
    }
  });

  it("refuses what is out of range, and changes nothing", async () => {
    const { claim, settle, read, hold, one, time } = await begun(deployment);
    const most = 10n ** 27n - 1n;
    const anything = { key: "k", limit: 10n ** 40n };
    await one.put("g", [{ key: "k", value: most - 1n, expiresAt: time() + minute }]);
    expect(await claim(anything)).toEqual(granted(most));
    const out = async (wrong: () => unknown) => {
      await expect((async () => wrong())()).rejects.toThrow(RangeError);
      expect(await read("k", "l")).toEqual([most, 0n]);
      expect(await claim({ ...anything, amount: 0n })).toEqual(granted(most));
    };
    await out(() => claim({ key: "l" }, anything));
    await out(() => claim({ key: "l" }, { ...anything, hold: hold("h") }));
    await out(() => claim({ key: "l", amount: most + 1n }));
    await out(() => claim({ key: "l", amount: -1n }));
    await out(() => settle("k", 1n));
    await out(() => settle("k", 1n, undefined, "once"));
    await out(() => settle("l", -most - 2n));
    await out(() => one.put("g", [{ key: "k", value: most + 1n, expiresAt: time() + minute }]));
    expect(await settle("k", -1n, undefined, "once")).toEqual([most - 1n]);
    expect(await claim({ key: "k", limit: -(10n ** 40n) })).toEqual(refused(0, most - 1n));
  });
}
