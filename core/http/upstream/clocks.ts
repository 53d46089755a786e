import type { Clocks } from "../../model/clocks.ts";
import { timerFor } from "../../time/longest-timer.ts";
import { Silence } from "../../time/silence.ts";

export type ClockName = keyof Clocks;

type Expired = (clock: ClockName, milliseconds: number) => void;

/**
 * The five clocks of one attempt. One runs for the phase the attempt is in (connect, headers, idle), two for what spans
 * phases (first token, total). A clock that is not set never fires. All but idle share one timer, which is set for the first
 * of them to go off, and looks again then: most are long over by that time, and a timer for each costs every request.
 */
export class RunningClocks {
  readonly #limits: Clocks;
  readonly #expired: Expired;
  #phase: "connect" | "headers" | undefined;
  /** When they go off, on the clock of `performance.now`. */
  #phaseAt = never;
  #firstTokenAt = never;
  #totalAt = never;
  #idle: Silence | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wakesAt = never;
  /** The call is made at once: what begins with it has the same beginning. */
  readonly #began = performance.now();

  constructor(limits: Clocks, stream: boolean, expired: Expired) {
    this.#limits = limits;
    this.#expired = expired;
    if (stream) this.#firstTokenAt = after(limits.firstToken, this.#began);
    this.#totalAt = after(limits.total, this.#began);
  }

  /** The call is on its way: from here on clocks go off. Its connection may be there already. */
  started(): void {
    if (this.#phase === undefined) {
      this.#phase = "connect";
      this.#phaseAt = after(this.#limits.connect, this.#began);
    }
    this.#watch(this.#began);
  }

  connected(): void {
    this.#phase = "headers";
    const { headers } = this.#limits;
    this.#phaseAt = never;
    if (!headers) return;
    const now = performance.now();
    this.#phaseAt = after(headers, now);
    this.#watch(now);
  }

  headers(): void {
    this.#phaseAt = never;
  }

  /** A piece of the answer arrived. */
  piece(): void {
    this.#idle?.heard();
  }

  /** The first frame of a stream was let through: from here on only silence counts. */
  firstToken(): void {
    this.#firstTokenAt = this.#totalAt = never;
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
    this.#phaseAt = this.#firstTokenAt = this.#totalAt = never;
    clearTimeout(this.#timer);
  }

  /** Sees to it that the timer goes off when the first clock does, or earlier. */
  #watch(now: number): void {
    const next = Math.min(this.#phaseAt, this.#firstTokenAt, this.#totalAt);
    if (next >= this.#wakesAt) return;
    clearTimeout(this.#timer);
    this.#wakesAt = next;
    this.#timer = setTimeout(look, timerFor(Math.ceil(next - now)), this);
  }

  /** The timer went off. */
  look(): void {
    this.#wakesAt = never;
    const now = performance.now();
    const { connect = 0, headers = 0, firstToken = 0, total = 0 } = this.#limits;
    if (this.#phaseAt <= now) {
      this.#phaseAt = never;
      if (this.#phase === "connect") this.#expired("connect", connect);
      else this.#expired("headers", headers);
    }
    if (this.#firstTokenAt <= now) {
      this.#firstTokenAt = never;
      this.#expired("firstToken", firstToken);
    }
    if (this.#totalAt <= now) {
      this.#totalAt = never;
      this.#expired("total", total);
    }
    this.#watch(now);
  }
}

const never = Number.POSITIVE_INFINITY;

/** When a clock goes off that begins now. */
const after = (milliseconds: number | undefined, now: number): number => (milliseconds ? now + milliseconds : never);

function look(clocks: RunningClocks): void {
  clocks.look();
}
