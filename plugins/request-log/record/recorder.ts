import { atMost, type Exchange, type Logger, type Principal } from "../../../core/index.ts";
import { type CaptureMode, type Decided, undecided } from "./capture.ts";
import type { Draft } from "./records.ts";

export interface RecorderParts {
  /** What was decided for somebody; a promise where it has to be asked. */
  readonly decided: (principal: Principal) => Decided | Promise<Decided>;
  readonly captureOf: (exchange: Exchange, decided: Decided) => CaptureMode;
  readonly recordsOf: (exchange: Exchange, mode: CaptureMode) => readonly Draft[];
  readonly add: (draft: Draft) => void;
  readonly log: Logger;
}

/** Exchanges looked at in one turn of the event loop. */
const perTurn = 32;

/** Exchanges that may wait for what their organisation has decided. */
const mostWaiting = 1000;

/** What cannot be asked in time has been decided for the least. */
const least: Decided = { logging: "metrics_only", loggingEnforced: true };

/**
 * Takes exchanges when they have ended, and makes records of them in the next turn of the event loop: an exchange that lies
 * about for longer is copied by a collection of garbage, with all that hangs on it.
 */
export class Recorder {
  readonly #parts: RecorderParts;
  /** Those who wait for what was decided about them. */
  readonly #asking = new Map<Exchange, Promise<void>>();
  #ended: Exchange[] = [];
  #turn: NodeJS.Immediate | undefined;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** Exchanges that are no records yet. */
  get waiting(): number {
    return this.#ended.length + this.#asking.size;
  }

  take(exchange: Exchange): void {
    this.#ended.push(exchange);
    if (this.#ended.length === 1) this.#turn = setImmediate(() => this.#look());
  }

  /** Makes records of all that is left; what waits for longer than that for an answer goes without. */
  async close(milliseconds: number): Promise<void> {
    clearImmediate(this.#turn);
    for (const exchange of this.#ended.splice(0)) this.#record(exchange);
    if (this.#asking.size === 0) return;
    await atMost(milliseconds, Promise.all(this.#asking.values()));
    for (const exchange of this.#asking.keys()) this.#answered(exchange, least);
  }

  #look(): void {
    const rest = this.#ended.splice(perTurn);
    for (const exchange of this.#ended) this.#record(exchange);
    this.#ended = rest;
    if (rest.length > 0) this.#turn = setImmediate(() => this.#look());
  }

  #record(exchange: Exchange): void {
    const decided = exchange.principal ? this.#decided(exchange.principal) : undecided;
    if (!(decided instanceof Promise)) return this.#make(exchange, decided);
    if (this.#asking.size >= mostWaiting) return this.#make(exchange, least);
    const waiting = decided
      .catch((error: unknown) => {
        this.#parts.log.warn("a request is recorded without its content: nobody says whether it may be kept", {
          request: exchange.id,
          error,
        });
        return least;
      })
      .then((answer) => this.#answered(exchange, answer));
    this.#asking.set(exchange, waiting);
  }

  #answered(exchange: Exchange, decided: Decided): void {
    if (this.#asking.delete(exchange)) this.#make(exchange, decided);
  }

  #decided(principal: Principal): Decided | Promise<Decided> {
    try {
      return this.#parts.decided(principal);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #make(exchange: Exchange, decided: Decided): void {
    const { captureOf, recordsOf, add, log } = this.#parts;
    try {
      for (const draft of recordsOf(exchange, captureOf(exchange, decided))) add(draft);
    } catch (error) {
      // One that makes trouble is not to keep the others waiting.
      log.error("a request was not recorded", { request: exchange.id, error });
    }
  }
}
