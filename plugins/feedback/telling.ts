import { type Feedback, LogError, type Logger, type LogsService, Succession } from "../../core/index.ts";

/** What all generations of a gateway have still to tell the logs: the last word of each piece, by whose it is. */
export interface Untold {
  readonly feedback: Map<string, Feedback>;
  /** Who tells it from now on. */
  readonly succession: Succession<Telling>;
}

export const nothingUntold = (): Untold => ({ feedback: new Map(), succession: new Succession() });

export interface TellingParts {
  readonly logs: Pick<LogsService, "feedback">;
  readonly log: Logger;
  readonly untold: Untold;
}

/** Milliseconds between two tries while the logs are away. */
const pause = 5_000;

/** Pieces that wait at most. They are kept as records in any case: logs are not found by what finds no room. */
const most = 10_000;

/** Pieces that are told together. */
const together = 500;

/** Tells the logs what was said of traces, for as long as it takes (observability.md section 14.4). */
export class Telling {
  readonly #parts: TellingParts;
  #turn: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isAway = false;
  #closed = false;

  constructor(parts: TellingParts) {
    this.#parts = parts;
  }

  /** From now on this one tells what is left to be told. */
  serve(): void {
    this.#parts.untold.succession.serve(this);
    this.#later();
  }

  /** Resolves when the logs know it, or are known to be away. Never rejects. */
  tell(said: readonly Feedback[]): Promise<void> {
    const { feedback } = this.#parts.untold;
    for (const one of said) {
      const key = `${one.organisation}/${one.id}`;
      if (feedback.has(key) || feedback.size < most) feedback.set(key, one);
      else this.#parts.log.error("logs will not be found by this feedback: too much waits", { feedback: one.id });
    }
    return this.#timer ? Promise.resolve() : this.#try();
  }

  /** Tries once more. What then is left is told by the next generation; without one the process ends, and logs are not found by it. */
  async close(): Promise<void> {
    const { untold, log } = this.#parts;
    this.#closed = true;
    clearTimeout(this.#timer);
    untold.succession.leave(this);
    await this.#try();
    if (untold.feedback.size === 0) return;
    const heir = untold.succession.serving;
    if (heir) heir.#later();
    else log.error("logs will not be found by some feedback: the gateway ended", { pieces: untold.feedback.size });
  }

  /** One after the other: a later word on a piece is not to be overtaken by an earlier one. */
  #try(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#tellAll());
    return this.#turn;
  }

  async #tellAll(): Promise<void> {
    const { logs, log, untold } = this.#parts;
    let size = together;
    while (untold.feedback.size > 0) {
      const batch = [...untold.feedback].slice(0, size);
      try {
        await logs.feedback.put(batch.map(([, one]) => one));
      } catch (error) {
        const isRefused = error instanceof LogError && error.reason === "invalid";
        if (!isRefused) return this.#away(error);
        // One that no store takes is not to keep the others waiting.
        size = 1;
        if (batch.length > 1) continue;
        log.error("logs will not be found by this feedback", { feedback: batch[0]?.[1].id, error });
      }
      this.#isAway = false;
      for (const [key, one] of batch) if (untold.feedback.get(key) === one) untold.feedback.delete(key);
    }
  }

  #away(error: unknown): void {
    const { log, untold } = this.#parts;
    const level = this.#isAway ? "debug" : "warn";
    this.#isAway = true;
    log[level]("feedback waits for the logs", { pieces: untold.feedback.size, error });
    this.#later();
  }

  #later(): void {
    if (this.#timer || this.#closed || this.#parts.untold.feedback.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#try();
    }, pause).unref();
  }
}
