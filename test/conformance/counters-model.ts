import fc from "fast-check";
import { expect, it } from "vitest";
import type { Claim, Claimed, CounterValue, Settlement } from "../../core/index.ts";
import type { CountersDeployment, SharedCounters } from "./counters.ts";

/** Claims, settlements and the rest, whose moments are milliseconds from when they are asked. */
type Step =
  | { readonly does: "claim"; readonly group: string; readonly claims: readonly Claim[] }
  | { readonly does: "settle"; readonly group: string; readonly entries: readonly Settlement[]; readonly once?: string }
  | { readonly does: "put"; readonly group: string; readonly entries: readonly CounterValue[] }
  | { readonly does: "read"; readonly group: string; readonly keys: readonly string[] }
  | { readonly does: "pass"; readonly milliseconds: number };

interface Kept {
  total: bigint;
  expiresAt: number;
  holds: { readonly id: string; readonly amount: bigint; readonly until: number }[];
}

/** What the contract says, in the plainest way: every step works on a copy, which is kept when all of it went well. */
class Model {
  #now = 0;
  #kept: Record<string, Kept> = {};
  #steps: Record<string, { readonly until: number; readonly totals: readonly bigint[] }> = {};

  do(step: Step): unknown {
    if (step.does === "pass") this.#now += step.milliseconds;
    for (const [key, kept] of Object.entries(this.#kept)) {
      kept.holds = kept.holds.filter(({ until }) => until > this.#now);
      if (kept.expiresAt <= this.#now) delete this.#kept[key];
    }
    if (step.does === "pass") return undefined;
    if (step.does === "read") return step.keys.map((key) => this.#kept[step.group + key]?.total ?? 0n);
    const before = structuredClone(this.#kept);
    if (step.does === "claim") return this.#claim(step.group, step.claims, before);
    if (step.does === "settle") return this.#settle(step.group, step.entries, step.once);
    for (const { key, value, expiresAt } of step.entries) this.#there(step.group + key, expiresAt).total = value;
    return undefined;
  }

  #claim(group: string, claims: readonly Claim[], before: Record<string, Kept>): unknown {
    const totals = () => claims.map((claim) => this.#counts(group, claim));
    for (const [at, claim] of claims.entries()) {
      const { key, limit, rule, amount, hold, expiresAt } = claim;
      const own = amount > 0n ? this.#kept[group + key]?.holds.find(({ id }) => id === hold?.id)?.amount : 0n;
      const there = this.#counts(group, claim) - (own ?? 0n);
      if (rule === "below" ? there >= limit : there + amount > limit) {
        this.#kept = before;
        return { granted: false, at, totals: totals() };
      }
      if (amount === 0n) continue;
      const kept = this.#there(group + key, expiresAt);
      if (!hold) kept.total += amount;
      else {
        kept.holds = kept.holds.filter(({ id }) => id !== hold.id);
        if (hold.until > 0) kept.holds.push({ ...hold, amount, until: this.#now + hold.until });
      }
    }
    return { granted: true, totals: totals() };
  }

  #settle(group: string, entries: readonly Settlement[], once: string | undefined): unknown {
    const known = once === undefined ? undefined : this.#steps[`${group}/${once}`];
    if (known && known.until > this.#now) return known.totals;
    for (const { key, amount, expiresAt, hold, since } of entries) {
      const there = this.#kept[group + key];
      if (there) there.holds = there.holds.filter(({ id }) => id !== hold);
      if (amount !== 0n && (since === undefined || (there && there.expiresAt > this.#now && since > 0)))
        this.#there(group + key, expiresAt).total += amount;
    }
    const totals = entries.map(({ key }) => this.#kept[group + key]?.total ?? 0n);
    if (once !== undefined) this.#steps[`${group}/${once}`] = { until: this.#now + 600_000, totals };
    return totals;
  }

  #there(name: string, expiresIn: number): Kept {
    const kept = this.#kept[name] ?? { total: 0n, expiresAt: 0, holds: [] };
    kept.expiresAt = Math.max(kept.expiresAt, this.#now + expiresIn);
    this.#kept[name] = kept;
    return kept;
  }

  #counts(group: string, { key, carry }: Claim): bigint {
    const sum = (name: string) => {
      const kept = this.#kept[group + name];
      return kept ? kept.holds.reduce((total, { amount }) => total + amount, kept.total) : 0n;
    };
    return sum(key) + (carry ? floor(sum(carry.key) * BigInt(carry.share * 1_000_000), 1_000_000n) : 0n);
  }
}

const floor = (amount: bigint, by: bigint): bigint => (amount - (((amount % by) + by) % by)) / by;

const key = fc.constantFrom("a", "b", "c");
const group = fc.constantFrom("g", "h");
const id = fc.constantFrom("x", "y", "z");
const size = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt(1n, 9n) },
  fc.bigInt(2n ** 53n - 3n, 2n ** 53n + 3n),
  fc.bigInt(9n * 10n ** 18n, 2n ** 63n + 3n),
  fc.bigInt(10n ** 15n - 3n, 10n ** 15n + 3n),
);
const raise = fc.oneof(fc.constant(0n), size);
const either = fc.oneof(
  raise,
  size.map((amount) => -amount),
);
const sum = fc.tuple(either, either).map(([one, other]) => one + other);
const lasts = fc.constantFrom(1, 500, 1000, 60_000);
const rule = fc.constantFrom("below" as const, "within" as const);
const carry = fc.record({ key, share: fc.constantFrom(0, 0.25, 0.5, 0.75, 1) });
const hold = fc.record({ id, until: fc.oneof(lasts, fc.constant(0)) });

const claim = fc.record(
  { key, rule, limit: sum, amount: raise, expiresAt: lasts, hold, carry },
  { requiredKeys: ["key", "rule", "limit", "amount", "expiresAt"] },
);
const entry = fc.record(
  // Before there was any of them, or when all there are had begun.
  { key, amount: either, expiresAt: lasts, hold: id, since: fc.constantFrom(0, Number.MAX_SAFE_INTEGER) },
  { requiredKeys: ["key", "amount", "expiresAt"] },
);
const value = fc.record({ key, value: either, expiresAt: lasts });
const several = <Value>(one: fc.Arbitrary<Value>) => fc.array(one, { minLength: 1, maxLength: 4 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant("claim" as const), group, claims: several(claim) }) },
  {
    weight: 4,
    arbitrary: fc.record(
      { does: fc.constant("settle" as const), group, entries: several(entry), once: id },
      { requiredKeys: ["does", "group", "entries"] },
    ),
  },
  fc.record({ does: fc.constant("put" as const), group, entries: several(value) }),
  fc.record({ does: fc.constant("read" as const), group, keys: fc.array(key) }),
  { weight: 2, arbitrary: fc.record({ does: fc.constant("pass" as const), milliseconds: lasts }) },
);

async function ask({ one, other, time, pass }: SharedCounters, step: Step, at: number): Promise<unknown> {
  const counters = at % 2 === 0 ? one : other;
  const from = time();
  const later = <Timed extends { readonly expiresAt: number }>(timed: Timed) => ({
    ...timed,
    expiresAt: from + timed.expiresAt,
  });
  if (step.does === "pass") return pass(step.milliseconds);
  if (step.does === "read") return counters.read(step.group, step.keys);
  if (step.does === "put") return counters.put(step.group, step.entries.map(later));
  if (step.does === "settle") return counters.settle(step.group, step.entries.map(later), step.once);
  const claims = step.claims.map(({ hold, ...claim }) => ({
    ...later(claim),
    ...(hold && { hold: { ...hold, until: from + hold.until } }),
  }));
  return outcomeOf(await counters.claim(step.group, claims));
}

/** What became of a claim, without when. */
export type Outcome = Claimed extends infer Each ? (Each extends Claimed ? Omit<Each, "claimedAt"> : never) : never;

export function outcomeOf(claimed: Claimed): Outcome {
  if (!claimed.granted) return claimed;
  const { claimedAt: _, ...outcome } = claimed;
  return outcome;
}

/** Whatever is asked in whatever order, the answers are those of the model. */
export function countersAgreeWithTheModel(deployment: CountersDeployment): void {
  it("answers like a model of the contract", async () => {
    const steps = fc.array(step, { minLength: 5, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const shared = await deployment();
        const model = new Model();
        for (const [at, step] of steps.entries())
          expect(await ask(shared, step, at), `step ${at}`).toEqual(model.do(step));
      }),
      { numRuns: 150 },
    );
  }, 60_000);
}
