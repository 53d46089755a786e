import { expect } from "vitest";
import {
  type Attempt,
  type Claim,
  CountersError,
  type CountersService,
  type Exchange,
  GatewayError,
  type GatewayRequest,
  type LimitFinder,
  MemoryCounters,
  mostCounted,
  type RatePolicy,
  SureCounters,
} from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { RateGate } from "../../plugins/rate-limits/gate.ts";
import { type RateRule, ruleOfPolicy } from "../../plugins/rate-limits/rules.ts";
import { RateBook, startOf } from "./rate-books.ts";

/** Milliseconds. */
export const holdFor = 30_000;

/** A rate as a walk begins with it. */
export interface Rate {
  readonly type: RateRule["type"];
  readonly unit: RateRule["unit"];
  readonly value: number;
  readonly at: "key" | "main" | "spare";
}

interface Rated {
  readonly id: string;
  readonly at: Rate["at"];
  of: RateRule;
}

/** A gateway, and what it counts by itself while the store is away. */
interface RateProcess {
  readonly gate: RateGate;
  readonly alone: RateBook;
}

/** What a request, or one of its targets, was let in with. */
interface Taken {
  readonly rules: readonly RateRule[];
  /** Undefined is the store's. */
  readonly alone: RateBook | undefined;
  readonly hold: string;
  readonly at: number;
  expected: bigint;
}

export interface Under {
  readonly exchange: Exchange;
  readonly process: RateProcess;
  readonly tokens: number;
  /** By the request, and by each of its attempts. */
  readonly taken: Map<object, Taken>;
  lastHeld: Taken | undefined;
}

const requestFor = (max_tokens: number) => ({ operation: "chat", json: { max_tokens } }) as unknown as GatewayRequest;

/** Gateways that share counters, with the simplest account of the rates they let requests through by. */
export class RateWorld {
  now = Date.parse("2082-09-02T10:00Z");
  readonly rates: Rated[];
  readonly processes: readonly RateProcess[];
  readonly under: Under[] = [];
  readonly #sliding: boolean;
  #counters = new MemoryCounters({ now: () => this.now });
  #shared: RateBook;
  isAway = false;
  /** So many answers of the store get lost, of what it has let in or refused. */
  mute = 0;
  #names = 0;

  constructor(rates: readonly Rate[], sliding: boolean) {
    this.#sliding = sliding;
    this.#shared = new RateBook(sliding);
    this.rates = rates.map((rate, at) => ({ id: `r${at}`, at: rate.at, of: ruleFor(`r${at}`, rate) }));
    this.processes = [1, 2].map(() => this.#process());
  }

  #process(): RateProcess {
    const world = this;
    const call = async <Answer>(ask: () => Answer, mayBeMute = false): Promise<Answer> => {
      if (world.isAway) throw new CountersError("away");
      const answer = ask();
      if (!mayBeMute || world.mute === 0) return answer;
      world.mute--;
      throw new CountersError("no answer");
    };
    const decides = (claims: readonly Claim[]) => claims.some(({ limit }) => limit !== mostCounted);
    const counters: CountersService = {
      shared: "deployment",
      get available() {
        return !world.isAway;
      },
      now: () => world.now,
      claim: (group, claims) => call(() => world.#counters.claim(group, claims), decides(claims)),
      settle: (...asked) => call(() => world.#counters.settle(...asked)),
      read: (...asked) => call(() => world.#counters.read(...asked)),
      put: (...asked) => call(() => world.#counters.put(...asked)),
    };
    const finder = {
      met: (phase: string, { attempt }: Exchange) => world.#meets(phase, attempt).map(({ of }) => of),
    } as unknown as LimitFinder<RatePolicy, RateRule>;
    const gate = new RateGate({
      ...{ finder, sliding: this.#sliding, holdFor, expectedOutput: 500, log: silentLogger, serving: () => true },
      counters: new SureCounters({ counters, onStoreError: "local", log: silentLogger }),
    });
    return { gate, alone: new RateBook(this.#sliding) };
  }

  #meets(phase: string, attempt?: Attempt): Rated[] {
    const slug = phase === "target" ? attempt?.target.provider.slug : "key";
    return this.rates.filter(({ at }) => at === slug);
  }

  async ask(process: RateProcess, tokens: number): Promise<void> {
    const exchange = {
      ...{ id: `x${++this.#names}`, principal: { id: "K1", organisation: "o", workspace: "w" } },
      ...{ attempts: [] as Attempt[], endpoint: { operation: "chat", type: "chatComplete" }, method: "POST" },
      ...{ signal: new AbortController().signal, request: requestFor(tokens), metadata: {}, url: "/" },
    } as unknown as Exchange;
    const one: Under = { exchange, process, tokens, taken: new Map(), lastHeld: undefined };
    const rules = this.#meets("admission").map(({ of }) => of);
    const taken = await this.#decided(one, rules, exchange.id, tokens, async () => process.gate.admit(exchange));
    if (!taken) return;
    one.taken.set(exchange, taken);
    this.under.push(one);
  }

  /** To a first target, or to the next one, which may be asked for more than the client asked for. */
  async goOn(one: Under, slug: string, tokens: number): Promise<void> {
    const { exchange, process, taken } = one;
    const { attempts } = exchange;
    const last = attempts.at(-1);
    // One call is under way.
    if (last && last.endedAt === undefined) return;
    const attempt = { target: { path: `t${attempts.length}`, provider: { slug, name: slug } }, startedAt: 0 } as never;
    (attempts as Attempt[]).push(attempt);
    exchange.attempt = attempt;
    const hold = `${exchange.id}/${attempts.length - 1}`;
    const rules = this.#meets("target", attempt).map(({ of }) => of);
    const request = tokens === one.tokens ? exchange.request : requestFor(tokens);
    if (one.lastHeld) this.#letGo(one.lastHeld);
    one.lastHeld = undefined;
    const admitted = taken.get(exchange);
    if (admitted && tokens > Number(admitted.expected) && admitted.rules.some(isOfTokens)) {
      admitted.expected = BigInt(tokens);
      const book = this.#bookOf(admitted);
      if (book) for (const rule of admitted.rules.filter(isOfTokens)) this.#hold(book, rule, admitted, this.now);
    }
    const met = await this.#decided(one, rules, hold, tokens, async () =>
      process.gate.meet(exchange, request as never),
    );
    Object.assign(attempt, met ? { sentAt: 1 } : { endedAt: 1, outcome: { code: "rate_limited" } });
    if (!met) return;
    taken.set(attempt, met);
    one.lastHeld = met;
  }

  /** Another call of the same target. */
  retry({ exchange, process, taken }: Under): void {
    const { attempts } = exchange;
    const last = attempts.at(-1);
    if (!last?.sentAt || last.endedAt === undefined) return;
    const attempt = { target: { ...last.target, retry: true }, startedAt: 0, sentAt: 1 } as unknown as Attempt;
    (attempts as Attempt[]).push(attempt);
    exchange.attempt = attempt;
    const first = attempts.find(({ target }) => target.path === attempt.target.path) as Attempt;
    const met = taken.get(first);
    if (met?.rules.some(isOfRequests)) {
      const book = this.#bookOf(met);
      for (const rule of met.rules.filter(isOfRequests)) if (book) book.cell(rule, this.now).total += 1n;
    }
    process.gate.again(exchange);
  }

  fail({ exchange }: Under, used: number): void {
    const last = exchange.attempts.at(-1);
    if (!last?.sentAt || last.endedAt !== undefined) return;
    last.endedAt = 1;
    if (used > 0) last.usage = { inputTokens: 0, outputTokens: used };
  }

  /** A call that could not be made. */
  drop({ exchange }: Under): void {
    const last = exchange.attempts.at(-1);
    if (!last?.sentAt || last.endedAt !== undefined) return;
    last.endedAt = 1;
    Object.assign(last, { sentAt: undefined });
  }

  async settle(one: Under, used: number | undefined): Promise<void> {
    const { exchange, process, taken } = one;
    const { attempts } = exchange;
    const last = attempts.at(-1);
    if (used !== undefined && last?.sentAt && last.endedAt === undefined)
      last.usage = { inputTokens: 0, outputTokens: used };
    const isRefused = last?.outcome?.code === "rate_limited" && !attempts.some(({ sentAt }) => sentAt);
    for (const [holder, met] of taken) {
      const path = (holder as Attempt).target?.path;
      const calls = holder === exchange ? attempts : attempts.filter(({ target }) => target.path === path);
      const tokens = calls.reduce((sum, { usage }) => sum + BigInt(usage?.outputTokens ?? 0), 0n);
      const isSent = holder === exchange ? !isRefused : (holder as Attempt).sentAt !== undefined;
      // What leaves nothing to be done tells the store nothing.
      if (!met.rules.some(isOfTokens) && (isSent || met.rules.length === 0)) continue;
      this.#settled(met, tokens, isSent);
    }
    this.under.splice(this.under.indexOf(one), 1);
    if (process.gate.settles(exchange)) await process.gate.settle(exchange);
  }

  #settled(met: Taken, tokens: bigint, isSent: boolean): void {
    const book = this.#bookOf(met);
    if (!book) return;
    this.#letGo(met);
    for (const rule of met.rules)
      if (isOfTokens(rule)) book.cell(rule, this.now).total += tokens;
      // A window that began anew since then never had it.
      else if (!isSent && met.at >= book.begunAt) book.cell(rule, met.at).total -= 1n;
  }

  #letGo(met: Taken): void {
    const book = this.#bookOf(met);
    if (book) for (const rule of met.rules) book.cell(rule, met.at).holds.delete(met.hold);
  }

  #hold(book: RateBook, rule: RateRule, { at, hold, expected }: Taken, now: number): void {
    if (expected > 0n) book.cell(rule, at).holds.set(hold, { amount: expected, until: now + holdFor });
  }

  /** Undefined while it cannot be told. */
  #bookOf({ alone }: Taken): RateBook | undefined {
    return alone ?? (this.isAway ? undefined : this.#shared);
  }

  /** Whether it is let in, which has to be right: where there is room in all of its rates, and in all it is counted then. */
  async #decided(
    { process }: Under,
    rules: readonly RateRule[],
    hold: string,
    tokens: number,
    ask: () => Promise<undefined>,
  ): Promise<Taken | undefined> {
    const { alone } = process;
    const tried = { rules, hold, at: this.now, expected: BigInt(rules.some(isOfTokens) ? tokens : 0) };
    const isMute = rules.length > 0 && !this.isAway && this.mute > 0;
    const take = (book: RateBook): boolean => {
      if (!rules.every((rule) => book.hasRoom(rule, this.now))) return false;
      for (const rule of rules)
        if (isOfTokens(rule)) this.#hold(book, rule, { ...tried, alone }, this.now);
        else book.cell(rule, this.now).total += 1n;
      return true;
    };
    if (isMute) take(this.#shared);
    const by = isMute || this.isAway ? alone : undefined;
    const isExpected = take(by ?? this.#shared);
    let isLetIn = true;
    try {
      await ask();
    } catch (error) {
      if (!(error instanceof GatewayError && error.status === 429)) throw error;
      isLetIn = false;
      this.#comesBackInTime(error, by ?? this.#shared);
    }
    expect(isLetIn, "whether there is room").toBe(isExpected);
    return isLetIn ? { ...tried, alone: by } : undefined;
  }

  /** Who comes back when he is told to finds room, if nobody came in between. */
  #comesBackInTime({ details }: GatewayError, book: RateBook): void {
    const { limit, retryAfterSeconds = 0 } = details as { limit?: { policy_id?: string }; retryAfterSeconds?: number };
    const rule = this.rates.find(({ id }) => id === limit?.policy_id)?.of as RateRule;
    const then = Math.ceil(this.now + retryAfterSeconds * 1000);
    if (rule.limit > 0n) expect(book.hasRoom(rule, then, false), "there is room when it was told").toBe(true);
  }

  edit(rate: Rated, value: number, unit: RateRule["unit"]): void {
    rate.of = ruleFor(rate.id, { type: rate.of.type, unit, value });
  }

  lose(): void {
    this.now += 1;
    this.#counters = new MemoryCounters({ now: () => this.now });
    this.#shared = new RateBook(this.#sliding, this.now);
  }

  /** Of each rate what the store counts now, and with what is held; where windows slide, in the one before as well. */
  seen(): unknown[] {
    return this.#ofWindows((rule, moment) => {
      const key = `${rule.base}@${startOf(rule.unit, moment)}`;
      const looking = { key, rule: "within", limit: mostCounted, amount: 0n, expiresAt: 0 } as const;
      return [this.#counters.read("o", [key])[0], this.#counters.claim("o", [looking]).totals[0]];
    });
  }

  expected(): unknown[] {
    return this.#ofWindows((rule, moment) => {
      const { total, holds } = this.#shared.cell(rule, moment);
      const held = [...holds.values()].filter(({ until }) => until > this.now);
      return [total, held.reduce((sum, { amount }) => sum + amount, total)];
    });
  }

  #ofWindows(look: (rule: RateRule, moment: number) => unknown): unknown[] {
    return this.rates.map(({ of }) => {
      const now = look(of, this.now);
      return this.#sliding ? [now, look(of, startOf(of.unit, this.now) - 1)] : now;
    });
  }
}

const ruleFor = (id: string, { type, unit, value }: Pick<Rate, "type" | "unit" | "value">): RateRule =>
  // Seconds are of things alone, and counted as the rest.
  ruleOfPolicy({ id, name: null, type, unit, value } as RatePolicy, "x");
const isOfTokens = ({ type }: RateRule): boolean => type === "tokens";
const isOfRequests = ({ type }: RateRule): boolean => type === "requests";
