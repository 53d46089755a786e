import { timerFor } from "../../longest-timer.ts";
import type { Clocks } from "../../model/route.ts";
import { Silence } from "../../silence.ts";

export type ClockName = keyof Clocks;

type Expired = (clock: ClockName, milliseconds: number) => void;

/**
 * The five clocks of one attempt. One runs for the phase the attempt is in (connect, headers, idle), two for what spans
 * phases (first token, total). A clock that is not set never fires.
 */
export class RunningClocks {
  readonly #limits: Clocks;
  readonly #expired: Expired;
  #phase: NodeJS.Timeout | undefined;
  #idle: Silence | undefined;
  readonly #firstToken: NodeJS.Timeout | undefined;
  readonly #total: NodeJS.Timeout | undefined;

  constructor(limits: Clocks, stream: boolean, expired: Expired) {
    this.#limits = limits;
    this.#expired = expired;
    this.#firstToken = stream ? this.#arm("firstToken") : undefined;
    this.#total = this.#arm("total");
  }

  /** There is no connection yet: one that is kept alive needs no clock. */
  connecting(): void {
    this.#phase = this.#arm("connect");
  }

  connected(): void {
    clearTimeout(this.#phase);
    this.#phase = this.#arm("headers");
  }

  headers(): void {
    clearTimeout(this.#phase);
  }

  /** A piece of the answer arrived. */
  piece(): void {
    this.#idle?.heard();
  }

  /** The first frame of a stream was let through: from here on only silence counts. */
  firstToken(): void {
    clearTimeout(this.#firstToken);
    clearTimeout(this.#total);
  }

  /** The client does not read: silence is its own, not the upstream's. */
  hold(): void {
    this.#idle?.stop();
    this.#idle = undefined;
  }

  /** Somebody reads: from here on silence counts. */
  release(): void {
    const { idle } = this.#limits;
    if (idle) this.#idle ??= new Silence(idle, () => this.#expired("idle", idle));
  }

  stop(): void {
    this.hold();
    clearTimeout(this.#phase);
    clearTimeout(this.#firstToken);
    clearTimeout(this.#total);
  }

  #arm(clock: ClockName): NodeJS.Timeout | undefined {
    const milliseconds = this.#limits[clock];
    return milliseconds ? setTimeout(() => this.#expired(clock, milliseconds), timerFor(milliseconds)) : undefined;
  }
}
