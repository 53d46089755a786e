import {
  type Claim,
  type Claimed,
  CountersError,
  type CountersService,
  type CounterValue,
  errorMessage,
  type Logger,
  type RedisService,
  type Settlement,
  WatchedStore,
} from "../../core/index.ts";
import { type Arguments, claimArguments, putArguments, readArguments, settleArguments } from "./arguments.ts";
import { claimScript, putScript, readScript, settleScript } from "./scripts.ts";
import { StoreClock } from "./store-clock.ts";

export interface RedisCountersOptions {
  readonly redis: RedisService;
  /** Milliseconds a call may take. */
  readonly timeout: number;
  readonly log: Logger;
  /** Milliseconds that never jump. */
  readonly local?: (() => number) | undefined;
  /** Milliseconds without calls after five have failed. */
  readonly pause?: number | undefined;
}

/** Milliseconds between two looks whether the clock has to be read, and how old what it said may be. */
const clockInterval = 1000;
const clockAge = 10_000;

/** Counters in Redis, one script and one round trip a call. A slow or silent Redis is a CountersError within the deadline. */
export class RedisCounters implements CountersService {
  readonly shared = "deployment";
  readonly #redis: RedisService;
  readonly #clock: StoreClock;
  readonly #store: WatchedStore;
  readonly #log: Logger;
  #isTold = false;

  constructor({ redis, timeout, log, local = steadyNow, pause }: RedisCountersOptions) {
    this.#redis = redis;
    this.#log = log;
    this.#clock = new StoreClock(local);
    const reachable = () => redis.keeps;
    this.#store = new WatchedStore({ timeout, reachable, probe: () => this.#readClock(), log, pause });
  }

  get available(): boolean {
    return this.#store.available;
  }

  now(): number {
    return this.#clock.now();
  }

  async claim(group: string, claims: readonly Claim[]): Promise<Claimed> {
    if (claims.length === 0) return { granted: true, claimedAt: Math.floor(this.now()), totals: [] };
    const given = claimArguments(this.#redis.keyPrefix, group, claims);
    const { time: claimedAt, said } = await this.#run(claimScript, given);
    const [at, ...counted] = said;
    if (at === "range") throw outOfRange(counted[0]);
    const totals = counted.map(wholeNumber);
    return at === "-1" ? { granted: true, claimedAt, totals } : { granted: false, at: Number(at), totals };
  }

  async settle(group: string, entries: readonly Settlement[], once?: string): Promise<readonly bigint[]> {
    if (entries.length === 0) return [];
    const given = settleArguments(this.#redis.keyPrefix, group, entries, once);
    const [outcome, totals = ""] = (await this.#run(settleScript, given)).said;
    if (outcome === "range") throw outOfRange(totals);
    return totals.split(",").map(wholeNumber);
  }

  async read(group: string, keys: readonly string[]): Promise<readonly bigint[]> {
    if (keys.length === 0) return [];
    const { said } = await this.#run(readScript, readArguments(this.#redis.keyPrefix, group, keys));
    return said.map(wholeNumber);
  }

  async put(group: string, entries: readonly CounterValue[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#run(putScript, putArguments(this.#redis.keyPrefix, group, entries));
  }

  /** Reads the clock of Redis now and then where no call did. What it returns ends it. */
  tend(): () => void {
    const look = () => {
      // Whether Redis answers is for calls and probes to find out.
      if (this.available && this.#clock.age > clockAge) this.#readClock().catch(() => undefined);
    };
    const timer = setInterval(look, clockInterval).unref();
    look();
    return () => clearInterval(timer);
  }

  close(): void {
    this.#store.close();
  }

  async #run(script: string, { keys, values }: Arguments): Promise<Answer> {
    const learn = this.#clock.asking();
    const reply = await this.#store.call(() => this.#redis.script(script, keys, values).catch(misplaced));
    if (reply instanceof Misplaced) throw this.#inTheWay(reply, keys);
    return this.#answered(reply, learn);
  }

  /** Only counters of this call are in trouble. */
  #inTheWay({ message }: Misplaced, keys: readonly string[]): CountersError {
    if (!this.#isTold) this.#log.warn("something that is no counter is in the way of one: delete it", { keys });
    this.#isTold = true;
    return new CountersError(`One of the counters cannot be used: ${message}`);
  }

  async #readClock(): Promise<void> {
    const learn = this.#clock.asking();
    this.#answered(await this.#redis.command("TIME"), learn);
  }

  #answered(reply: unknown, learn: (told: number) => void): Answer {
    if (!Array.isArray(reply)) throw new CountersError("Redis answered with something that is no answer.");
    const [seconds, microseconds, ...said] = reply.map(String);
    const told = Number(seconds) * 1000 + Number(microseconds) / 1000;
    learn(told);
    return { time: Math.floor(told), said };
  }
}

/** Redis has answered, and is well: somebody else has put something under a counter's name. */
class Misplaced {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Versions before 7 say of scripts what went wrong behind a text of their own. */
function misplaced(error: unknown): Misplaced {
  const message = errorMessage(error);
  if (/\bWRONGTYPE /.test(message)) return new Misplaced(message);
  throw error;
}

/** What a script says behind the time, which is in whole milliseconds, as scripts have it. */
interface Answer {
  readonly time: number;
  readonly said: string[];
}

const steadyNow = (): number => performance.timeOrigin + performance.now();

const wholeNumber = (text: string): bigint => BigInt(text);

const outOfRange = (total: string | undefined): RangeError =>
  new RangeError(`a counter holds less than 10^27 either way, and was to hold ${total}`);
