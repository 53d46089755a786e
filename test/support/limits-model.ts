/** The simplest account of limits there is: what policies.md says, one thing after the other, without a gateway. */

export type Cadence = "monthly" | "weekly" | number | null;
type Event = "limit.threshold_crossed" | "limit.exhausted";
export type Level = "api_key" | "workspace" | "provider" | "policy";

/** A request as limits see it. Targets are only asked where it gets so far. */
export interface Asked {
  readonly key: string;
  readonly team: string | undefined;
  readonly provider: string;
  readonly tokens: number;
}

/** A budget or a rate, of a thing or of a policy. Money is in cents, which are tokens. */
export interface Limit {
  readonly id: string;
  readonly level: Level;
  readonly kind: "usage" | "rate";
  readonly type: "cost" | "tokens" | "requests";
  value: number;
  alert: number | null;
  /** Of rates: milliseconds. */
  window: number;
  cadence: Cadence;
  next: number | undefined;
  last: number | null;
  condition: (asked: Asked) => boolean;
  readonly groups: readonly Group[];
  readonly phase: "admission" | "target";
}

export const groups = {
  "metadata.team": ({ team }: Asked) => team ?? "__unset__",
  api_key: ({ key }: Asked) => key,
  virtual_key: ({ provider }: Asked) => provider,
};
export type Group = keyof typeof groups;

export interface Counter {
  used: number;
  endsAt: number | undefined;
  threshold: boolean;
  exhausted: boolean;
  /** Its threshold may be crossed anew by what is used next. */
  rearmed: boolean;
  limit: Limit;
  readonly value: string;
}

export interface Told {
  readonly event: Event;
  readonly id: string;
  readonly value: string | undefined;
}

export interface Decision {
  readonly status: number;
  readonly limit?: Limit;
  readonly value?: string;
}

const day = 86_400_000;
export const midnightOf = (now: number): number => now - (now % day);

/** The next date of a cadence after a moment; days are counted from `from`. */
export function nextAfter(cadence: Cadence, now: number, level: Level, from: number): number | undefined {
  if (cadence === null) return undefined;
  let at = typeof cadence === "number" ? midnightOf(from) : midnightOf(now);
  const isBoundary = (moment: number): boolean => {
    if (cadence === "monthly") return new Date(moment).getUTCDate() === 1;
    if (cadence === "weekly") return new Date(moment).getUTCDay() === (level === "policy" ? 1 : 0);
    return true;
  };
  do at += typeof cadence === "number" ? cadence * day : day;
  while (at <= now || !isBoundary(at));
  return at;
}

export class LimitsModel {
  readonly limits: Limit[] = [];
  readonly told: Told[] = [];
  readonly #counters = new Map<string, Counter>();
  #rates = new Map<string, { start: number; count: number }>();

  /** Time goes on: what has come to its end begins anew. */
  goOn(now: number): void {
    for (const limit of this.limits) {
      while (limit.next !== undefined && limit.next <= now) {
        limit.last = limit.next;
        limit.next = nextAfter(limit.cadence, limit.next, limit.level, limit.next);
      }
    }
    for (const counter of this.#counters.values()) {
      if (counter.endsAt === undefined || counter.endsAt > now) continue;
      begin(counter);
      counter.endsAt = counter.limit.next;
    }
  }

  /** In the order they are looked at: of each phase budgets, then rates; things before policies, these as they were made. */
  decide(asked: Asked, now: number): Decision {
    for (const phase of ["admission", "target"] as const) {
      const met = this.#met(asked, phase);
      const budgets = met.filter(({ kind }) => kind === "usage");
      this.#look(asked, budgets);
      for (const limit of budgets) {
        const value = valueKeyOf(limit, asked);
        if ((this.counter(limit, value)?.used ?? 0) >= Math.ceil(limit.value)) return { status: 412, limit, value };
      }
      for (const limit of met.filter(({ kind }) => kind === "rate")) {
        const value = valueKeyOf(limit, asked);
        if (this.rate(limit, value, now) >= limit.value) return { status: 429, limit, value };
      }
    }
    return { status: 200 };
  }

  /** All it meets. */
  met(asked: Asked): Limit[] {
    return [...this.#met(asked, "admission"), ...this.#met(asked, "target")];
  }

  /** Of a request that was answered: what it used of all that it met. Rates at a target count each call of it. */
  count(asked: Asked, met: readonly Limit[], now: number, calls = 1): void {
    for (const limit of met) {
      const requests = limit.kind === "rate" && limit.phase === "target" ? calls : 1;
      const amount = limit.type === "requests" ? requests : asked.tokens;
      const value = valueKeyOf(limit, asked);
      if (limit.kind === "rate") this.#raise(limit, value, amount, now);
      else if (amount > 0) this.#use(limit, value, amount);
    }
  }

  /** The rates a request meets, with what is left of them. */
  ratesOf(asked: Asked, now: number) {
    return this.met(asked)
      .filter(({ kind }) => kind === "rate")
      .map((limit) => ({ limit, count: this.rate(limit, valueKeyOf(limit, asked), now) }));
  }

  counter({ id, type }: Limit, value: string): Counter | undefined {
    return this.#counters.get(`${id} ${type} ${value}`);
  }

  counters({ id, type }: Limit): Counter[] {
    return [...this.#counters.values()].filter(({ limit }) => limit.id === id && limit.type === type);
  }

  rate({ id, type, window }: Limit, value: string, now: number): number {
    const found = this.#rates.get(`${id} ${type} ${window} ${value}`);
    return found && found.start === startOf(window, now) ? found.count : 0;
  }

  reset(counters: readonly Counter[]): void {
    for (const counter of counters) begin(counter);
  }

  /** Everything that counts for a thing, also of budgets it does not have now. */
  resetThing(thing: string): void {
    this.reset([...this.#counters.values()].filter(({ limit }) => limit.id === thing));
  }

  /** A new date for what is under way. */
  redate(limit: Limit, next: number | undefined): void {
    limit.next = next;
    for (const counter of this.counters(limit)) Object.assign(counter, { limit, endsAt: next });
  }

  /** What is to be told when somebody next looks may be told before. */
  heard(limit: Limit, value: string, threshold: boolean, exhausted: boolean): void {
    const counter = this.counter(limit, value);
    if (!counter || counter.used === 0) return;
    const { value: most, alert } = limit;
    const isLate = {
      threshold: threshold && !counter.threshold && alert !== null && counter.used >= alert,
      exhausted: exhausted && !counter.exhausted && counter.used >= Math.ceil(most),
    };
    if (isLate.threshold || isLate.exhausted) this.#tell(counter, limit);
  }

  /** What was told does not hold any more where limits were raised (policies.md section 8.3). */
  edit(limit: Limit, value: number, alert: number | null): void {
    const before = { value: limit.value, alert: limit.alert };
    Object.assign(limit, { value, alert });
    for (const counter of this.counters(limit)) {
      const isFree = counter.exhausted && value > before.value && counter.used < Math.ceil(value);
      const isLater = before.alert !== null && (alert === null || (alert > before.alert && counter.used < alert));
      if (isFree) counter.exhausted = false;
      if (!isFree && !isLater) continue;
      counter.threshold = false;
      counter.rearmed = true;
    }
  }

  #met(asked: Asked, phase: Limit["phase"]): Limit[] {
    return this.limits.filter((limit) => limit.phase === phase && limit.condition(asked));
  }

  #use(limit: Limit, value: string, amount: number): void {
    let counter = this.counter(limit, value);
    if (!counter) {
      counter = { used: 0, endsAt: limit.next, threshold: false, exhausted: false, rearmed: false, limit, value };
      this.#counters.set(`${limit.id} ${limit.type} ${value}`, counter);
    }
    counter.used += amount;
    counter.rearmed = false;
    this.#tell(counter, limit);
  }

  /** What was lowered is told of when it is next looked at. */
  #look(asked: Asked, limits: readonly Limit[]): void {
    for (const limit of limits) {
      const counter = this.counter(limit, valueKeyOf(limit, asked));
      const isDue = counter?.rearmed === false || (counter && counter.used >= Math.ceil(limit.value));
      if (counter && counter.used > 0 && isDue) this.#tell(counter, limit);
    }
  }

  #tell(counter: Counter, { id, level, value: most, alert }: Limit): void {
    const { used, value } = counter;
    const tell = (event: Event) => void this.told.push({ event, id, value: level === "policy" ? value : undefined });
    if (alert !== null && used >= alert && !counter.threshold) tell("limit.threshold_crossed");
    if (used >= Math.ceil(most) && !counter.exhausted) tell("limit.exhausted");
    counter.threshold = alert !== null && used >= alert;
    counter.exhausted = used >= Math.ceil(most);
  }

  #raise(limit: Limit, value: string, amount: number, now: number): void {
    const { id, type, window } = limit;
    const count = this.rate(limit, value, now) + amount;
    this.#rates.set(`${id} ${type} ${window} ${value}`, { start: startOf(window, now), count });
  }
}

export const startOf = (window: number, now: number): number => {
  const from = window === 7 * day ? 4 * day : 0;
  return now - ((now - from) % window);
};

export const valueKeyOf = ({ level, groups: by }: Limit, asked: Asked): string =>
  level === "policy" ? by.map((group) => `${group}:${groups[group](asked)}`).join("|") : "";

function begin(counter: Counter): void {
  Object.assign(counter, { used: 0, threshold: false, exhausted: false, rearmed: false });
}
