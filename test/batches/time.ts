import { setImmediate } from "node:timers/promises";

interface Timer {
  readonly until: number;
  /** Nothing goes on in a process that is frozen. */
  readonly mayEnd: () => boolean;
  readonly over: () => void;
}

/** Turns of the event loop in which nothing happens before nothing more will. */
const calm = 3;
/** What takes more of them goes round in circles. */
const mostTurns = 20_000;

/** Time for a whole deployment: it goes by when a test says so, and between two moments everything happens that can. */
export class Time {
  now = Date.UTC(2026, 0, 1);
  /** Counted up by everything that happens. */
  moves = 0;
  readonly #timers = new Set<Timer>();

  /** Calls `over` after so many milliseconds. What is returned ends that. */
  after(milliseconds: number, over: () => void, mayEnd: () => boolean = () => true): () => void {
    const timer: Timer = { until: this.now + milliseconds, over, mayEnd };
    this.#timers.add(timer);
    this.moves++;
    return () => this.#timers.delete(timer);
  }

  async pass(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.now = Math.max(this.now, next);
      this.#end();
      await this.quiet();
    }
    this.now = end;
  }

  /** The same where nobody notices before it is over: a machine that slept. */
  async jump(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    this.#end();
    await this.quiet();
  }

  async quiet(): Promise<void> {
    for (let still = 0, turns = 0; still < calm; turns++) {
      if (turns > mostTurns) throw new Error("it goes round in circles");
      const before = this.moves;
      await setImmediate();
      still = before === this.moves ? still + 1 : 0;
    }
  }

  /** Ends what is due, and was not ended because its process was frozen. */
  #end(): void {
    for (const timer of [...this.#timers].sort((one, other) => one.until - other.until)) {
      if (timer.until > this.now || !timer.mayEnd() || !this.#timers.delete(timer)) continue;
      this.moves++;
      timer.over();
    }
  }

  #next(end: number): number | undefined {
    let next: number | undefined;
    for (const { until, mayEnd } of this.#timers)
      if (until <= end && mayEnd() && (next === undefined || until < next)) next = until;
    return next;
  }
}

/** Chance that begins with a number and goes on the same way each time (mulberry32). */
export class Draws {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Below one. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below this. */
  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  isBelow(chance: number): boolean {
    return this.next() < chance;
  }

  of<Value>(...all: readonly [Value, ...Value[]]): Value {
    return all[this.below(all.length)] ?? all[0];
  }
}
