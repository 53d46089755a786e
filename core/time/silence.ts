import { timerFor } from "./longest-timer.ts";

/**
 * Says when nothing was heard for so many milliseconds, and again whenever that has passed once more, until it is stopped.
 * Hearing something only notes the time: a timer that were set anew for every piece of a stream would cost more than the
 * piece.
 */
export class Silence {
  readonly #milliseconds: number;
  readonly #fell: () => void;
  #heardAt = performance.now();
  #timer: NodeJS.Timeout;

  constructor(milliseconds: number, fell: () => void) {
    this.#milliseconds = milliseconds;
    this.#fell = fell;
    this.#timer = this.#wake(milliseconds);
  }

  heard(): void {
    this.#heardAt = performance.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wake(after: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), timerFor(after));
  }

  #look(): void {
    const left = Math.ceil(this.#heardAt + this.#milliseconds - performance.now());
    if (left > 0) {
      this.#timer = this.#wake(left);
      return;
    }
    this.heard();
    this.#timer = this.#wake(this.#milliseconds);
    this.#fell();
  }
}
