import { AgedMap } from "../keeping/aged-map.ts";
import type { Claim, Claimed, CountersService, CounterValue, Settlement } from "../services/counters.ts";
import { claimable, inRange, moment, rememberedFor, shareOf } from "./amounts.ts";
import { type Counter, CounterTable, type Hold } from "./counter-table.ts";

export interface MemoryCountersOptions {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** How many counters there may be, and how many steps done once are remembered; beyond it, those that expire first go. */
  readonly most?: number | undefined;
  /** Told once, when counters had to go before their time. */
  readonly onFull?: ((most: number) => void) | undefined;
}

/** What a counter was before a step raised it. */
interface Before {
  readonly counter: Counter;
  /** It was not there. */
  readonly made: boolean;
  readonly total: bigint;
  readonly expiresAt: number;
  /** Under which id something was held or let go. */
  readonly id: string | undefined;
  readonly hold: Hold | undefined;
}

interface Step {
  readonly until: number;
  readonly totals: readonly bigint[];
}

const sweptAtOnce = 20_000;
const sweepInterval = 60_000;

/** Counters in the memory of this process. Everything answers at once; amounts out of range are a RangeError, thrown. */
export class MemoryCounters implements CountersService {
  readonly shared = "process";
  readonly available = true;
  readonly now: () => number;
  readonly #table: CounterTable;
  readonly #steps = new AgedMap<string, Step>();

  constructor({ now, most = 1_000_000, onFull }: MemoryCountersOptions) {
    this.now = now;
    this.#table = new CounterTable({ most, onFull });
  }

  /** How many counters are kept, those included that are over and not cleared away yet. */
  get size(): number {
    return this.#table.size;
  }

  /** How many there may be from now on. */
  set most(most: number) {
    this.#table.most = most;
  }

  claim(group: string, claims: readonly Claim[]): Claimed {
    const now = this.now();
    const done: Before[] = [];
    try {
      for (let at = 0; at < claims.length; at++) {
        const claim = claims[at] as Claim;
        const counter = this.#table.find(group, claim.key, now);
        if (!this.#holds(group, counter, claim, now)) {
          this.#undo(done);
          return { granted: false, at, totals: this.#totalsOf(group, claims, now) };
        }
        if (claim.amount > 0n) this.#raise(done, group, counter, claim, now);
      }
    } catch (error) {
      this.#undo(done);
      throw error;
    }
    return { granted: true, claimedAt: now, totals: this.#totalsOf(group, claims, now) };
  }

  settle(group: string, entries: readonly Settlement[], once?: string): readonly bigint[] {
    const now = this.now();
    if (once === undefined) return this.#settle(group, entries, now);
    // The length keeps groups apart whatever they contain.
    const name = `${group.length}:${group}${once}`;
    const known = this.#steps.get(name);
    if (known !== undefined && known.until > now) return known.totals;
    const totals = this.#settle(group, entries, now);
    this.#forgetSteps(now, this.#table.most - 1);
    this.#steps.set(name, { until: now + rememberedFor, totals });
    return totals;
  }

  read(group: string, keys: readonly string[]): readonly bigint[] {
    const now = this.now();
    return keys.map((key) => this.#table.find(group, key, now)?.total ?? 0n);
  }

  put(group: string, entries: readonly CounterValue[]): void {
    const now = this.now();
    for (const { value } of entries) inRange(value);
    for (const { key, value, expiresAt } of entries) this.#there(group, key, expiresAt, now).total = value;
  }

  /** Clears away some of what is over. New counters do that as well: this is for when there are none. */
  sweep(): void {
    const now = this.now();
    this.#table.sweep(now, sweptAtOnce);
    this.#forgetSteps(now, this.#table.most);
  }

  /** Sweeps now and then, for as long as the process has something else to do. What it returns ends it. */
  tend(): () => void {
    const timer = setInterval(() => this.sweep(), sweepInterval).unref();
    return () => clearInterval(timer);
  }

  #holds(group: string, counter: Counter | undefined, claim: Claim, now: number): boolean {
    const { limit, rule, hold, carry } = claim;
    const amount = claimable(claim.amount);
    let there = counter === undefined ? 0n : counter.total + counter.held;
    // A hold that is claimed again takes the place of the one that is there.
    if (hold !== undefined && amount > 0n) there -= counter?.holds?.get(hold.id)?.amount ?? 0n;
    if (carry !== undefined) there += this.#carried(group, carry, now);
    return rule === "below" ? there < limit : there + amount <= limit;
  }

  #raise(done: Before[], group: string, found: Counter | undefined, claim: Claim, now: number): void {
    const { hold, amount, expiresAt } = claim;
    const counter = found ?? this.#table.make(group, claim.key, moment(expiresAt), now);
    done.push(before(counter, found === undefined, hold?.id));
    if (hold === undefined) counter.total += amount;
    else this.#table.hold(counter, hold.id, { amount, until: moment(hold.until) });
    this.#extend(counter, expiresAt);
    inRange(counter.total);
    inRange(counter.total + counter.held);
  }

  #settle(group: string, entries: readonly Settlement[], now: number): readonly bigint[] {
    const done: Before[] = [];
    try {
      for (const { key, amount: asked, expiresAt, hold, since } of entries) {
        const found = this.#table.find(group, key, now);
        const isLost = since !== undefined && !(found && found.madeAt <= since);
        const amount = isLost ? 0n : asked;
        if (found === undefined && amount === 0n) continue;
        const counter = found ?? this.#table.make(group, key, moment(expiresAt), now);
        done.push(before(counter, found === undefined, hold));
        if (hold !== undefined) this.#table.hold(counter, hold, undefined);
        if (amount === 0n) continue;
        counter.total = inRange(counter.total + inRange(amount));
        this.#extend(counter, expiresAt);
      }
    } catch (error) {
      this.#undo(done);
      throw error;
    }
    return entries.map(({ key }) => this.#table.find(group, key, now)?.total ?? 0n);
  }

  /** The counter, made if need be, that is not forgotten before that moment. */
  #there(group: string, key: string, expiresAt: number, now: number): Counter {
    const found = this.#table.find(group, key, now);
    if (found === undefined) return this.#table.make(group, key, moment(expiresAt), now);
    this.#extend(found, expiresAt);
    return found;
  }

  #extend(counter: Counter, expiresAt: number): void {
    if (expiresAt > counter.expiresAt) this.#table.expireAt(counter, moment(expiresAt));
  }

  #carried(group: string, { key, share }: NonNullable<Claim["carry"]>, now: number): bigint {
    const counter = this.#table.find(group, key, now);
    return counter === undefined ? 0n : shareOf(counter.total + counter.held, share);
  }

  #totalsOf(group: string, claims: readonly Claim[], now: number): readonly bigint[] {
    const totals: bigint[] = [];
    for (const { key, carry } of claims) {
      const counter = this.#table.find(group, key, now);
      const own = counter === undefined ? 0n : counter.total + counter.held;
      totals.push(carry === undefined ? own : own + this.#carried(group, carry, now));
    }
    return totals;
  }

  #undo(done: Before[]): void {
    for (let at = done.length - 1; at >= 0; at--) {
      const { counter, made, total, expiresAt, id, hold } = done[at] as Before;
      counter.total = total;
      if (id !== undefined) this.#table.hold(counter, id, hold);
      if (made) this.#table.forget(counter);
      else this.#table.expireAt(counter, expiresAt);
    }
  }

  /** Those whose time is over, and the oldest beyond so many. */
  #forgetSteps(now: number, most: number): void {
    for (;;) {
      const oldest = this.#steps.oldest;
      if (oldest === undefined) return;
      const over = (this.#steps.get(oldest)?.until ?? 0) <= now;
      if (!over && this.#steps.size <= most) return;
      this.#steps.delete(oldest);
    }
  }
}

const before = (counter: Counter, made: boolean, id: string | undefined): Before => ({
  counter,
  made,
  total: counter.total,
  expiresAt: counter.expiresAt,
  id,
  hold: id === undefined ? undefined : counter.holds?.get(id),
});
