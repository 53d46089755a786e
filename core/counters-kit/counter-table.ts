/** What is held on a counter under one id. */
export interface Hold {
  readonly amount: bigint;
  /** Unix milliseconds. */
  readonly until: number;
}

export class Counter {
  readonly group: string;
  readonly key: string;
  /** When it began, Unix milliseconds. */
  readonly madeAt: number;
  total = 0n;
  /** The sum of the holds. */
  held = 0n;
  /** Unix milliseconds; changed by the table only. */
  expiresAt: number;
  holds: Map<string, Hold> | undefined;
  /** No hold ends before this moment. */
  soonest = Number.POSITIVE_INFINITY;

  constructor({ group, key, madeAt, expiresAt }: Pick<Counter, "group" | "key" | "madeAt" | "expiresAt">) {
    this.group = group;
    this.key = key;
    this.madeAt = madeAt;
    this.expiresAt = expiresAt;
  }
}

export interface TableOptions {
  /** How many counters there may be. */
  readonly most: number;
  /** Told once, when counters had to go before their time. */
  readonly onFull?: ((most: number) => void) | undefined;
}

/** Milliseconds of the lots that counters are sorted into by when they expire. */
const lotLength = 60_000;

/** How many expired counters a new one clears away: more than one, so that they become fewer. */
const clearedByEach = 2;

/**
 * Counters by group and key, and by when they expire: what is over is cleared away a little with each new counter, and when
 * there are too many, those go that would go first.
 */
export class CounterTable {
  most: number;
  readonly #onFull: ((most: number) => void) | undefined;
  readonly #groups = new Map<string, Map<string, Counter>>();
  /** By the minute they expire in; within one, in the order they were made or came there. */
  readonly #lots = new Map<number, Set<Counter>>();
  readonly #holding = new Set<Counter>();
  #size = 0;
  /** No counter expires in an earlier lot. */
  #firstLot = Number.POSITIVE_INFINITY;
  #wasFull = false;

  constructor({ most, onFull }: TableOptions) {
    this.most = most;
    this.#onFull = onFull;
  }

  get size(): number {
    return this.#size;
  }

  /** A counter that is not over, without the holds that are. */
  find(group: string, key: string, now: number): Counter | undefined {
    const counter = this.#groups.get(group)?.get(key);
    if (counter === undefined) return undefined;
    if (counter.expiresAt <= now) {
      this.forget(counter);
      return undefined;
    }
    if (counter.soonest <= now) this.#endHolds(counter, now);
    return counter;
  }

  /** A counter that is not there yet. */
  make(group: string, key: string, expiresAt: number, now: number): Counter {
    this.#clear(now, clearedByEach);
    if (this.#size >= this.most) this.#makeRoom(now);
    const counter = new Counter({ group, key, madeAt: now, expiresAt });
    let counters = this.#groups.get(group);
    if (counters === undefined) {
      counters = new Map();
      this.#groups.set(group, counters);
    }
    counters.set(key, counter);
    this.#size++;
    this.#sort(counter);
    return counter;
  }

  expireAt(counter: Counter, at: number): void {
    if (at === counter.expiresAt) return;
    if (lotOf(at) === lotOf(counter.expiresAt)) {
      counter.expiresAt = at;
      return;
    }
    if (!this.#unsort(counter)) return;
    counter.expiresAt = at;
    this.#sort(counter);
  }

  /** Sets what is held under an id, or with undefined ends it. */
  hold(counter: Counter, id: string, hold: Hold | undefined): void {
    const before = counter.holds?.get(id);
    if (before !== undefined) counter.held -= before.amount;
    if (hold === undefined) {
      if (before === undefined) return;
      counter.holds?.delete(id);
      if (counter.holds?.size === 0) this.#holding.delete(counter);
      return;
    }
    counter.holds ??= new Map();
    if (counter.holds.size === 0) {
      counter.soonest = hold.until;
      this.#holding.add(counter);
    } else if (hold.until < counter.soonest) counter.soonest = hold.until;
    counter.holds.set(id, hold);
    counter.held += hold.amount;
  }

  /** One that is gone already is no mistake. */
  forget(counter: Counter): void {
    if (!this.#unsort(counter)) return;
    const counters = this.#groups.get(counter.group);
    counters?.delete(counter.key);
    if (counters?.size === 0) this.#groups.delete(counter.group);
    this.#holding.delete(counter);
    this.#size--;
  }

  /** Clears away at most so many counters that are over, and looks at as many that have holds. */
  sweep(now: number, most: number): void {
    this.#clear(now, most);
    let left = most;
    for (const counter of this.#holding) {
      if (left-- <= 0) return;
      if (counter.soonest <= now) this.#endHolds(counter, now);
      // To the end of the line, so that the next sweep begins with others.
      if (this.#holding.delete(counter) && counter.holds?.size) this.#holding.add(counter);
    }
  }

  #endHolds(counter: Counter, now: number): void {
    let soonest = Number.POSITIVE_INFINITY;
    for (const [id, hold] of counter.holds ?? []) {
      if (hold.until <= now) this.hold(counter, id, undefined);
      else if (hold.until < soonest) soonest = hold.until;
    }
    counter.soonest = soonest;
  }

  #clear(now: number, most: number): void {
    for (let left = most; left > 0 && (this.#firstLot + 1) * lotLength <= now; ) {
      const lot = this.#lots.get(this.#firstLot);
      for (const counter of lot ?? []) {
        if (left-- <= 0) return;
        this.forget(counter);
      }
      this.#firstLot = earliest(this.#lots.keys());
    }
  }

  /** Of the lots that expire first, a hundredth of all at once: finding them costs a little. */
  #makeRoom(now: number): void {
    this.#clear(now, Number.POSITIVE_INFINITY);
    let surplus = this.#size - this.most + 1;
    if (surplus <= 0) return;
    surplus = Math.max(surplus, Math.floor(this.most / 100));
    if (!this.#wasFull) this.#onFull?.(this.most);
    this.#wasFull = true;
    while (surplus > 0 && this.#size > 0) {
      this.#firstLot = earliest(this.#lots.keys());
      for (const counter of this.#lots.get(this.#firstLot) ?? []) {
        if (surplus-- <= 0) return;
        this.forget(counter);
      }
    }
  }

  #sort(counter: Counter): void {
    const number = lotOf(counter.expiresAt);
    let lot = this.#lots.get(number);
    if (lot === undefined) {
      lot = new Set();
      this.#lots.set(number, lot);
      if (number < this.#firstLot) this.#firstLot = number;
    }
    lot.add(counter);
  }

  /** Whether it was there. */
  #unsort(counter: Counter): boolean {
    const number = lotOf(counter.expiresAt);
    const lot = this.#lots.get(number);
    if (!lot?.delete(counter)) return false;
    if (lot.size === 0) this.#lots.delete(number);
    return true;
  }
}

const lotOf = (moment: number): number => Math.floor(moment / lotLength);

function earliest(lots: Iterable<number>): number {
  let first = Number.POSITIVE_INFINITY;
  for (const lot of lots) if (lot < first) first = lot;
  return first;
}
