import { setImmediate } from "node:timers/promises";

/** Nobody waits for something any more. */
export class GivenUp extends Error {}

/** What can be given up, with all that was begun for it. */
export class Token {
  #isOver = false;
  readonly #told = new Set<() => void>();

  get isOver(): boolean {
    return this.#isOver;
  }

  giveUp(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const tell of [...this.#told]) tell();
  }

  /** Calls `tell` when it is given up; what it returns forgets that. */
  whenOver(tell: () => void): () => void {
    this.#told.add(tell);
    return () => this.#told.delete(tell);
  }

  part(): Token {
    const part = new Token();
    this.whenOver(() => part.giveUp());
    return part;
  }
}

/** Events closer to each other than this are a matter of chance. */
const close = 5;

/** A time that passes from one event of a model to the next. */
export class ModelClock {
  now = 0;
  /** Whether things happened so close to each other that nobody can say which came first. */
  isClose = false;
  #events: { readonly at: number; readonly happen: () => void }[] = [];

  /** Resolves after a time; rejects when it is given up. */
  sleep(milliseconds: number, token: Token): Promise<void> {
    return new Promise((resolve, reject) => {
      if (token.isOver) return reject(new GivenUp());
      const happen = () => {
        forget();
        resolve();
      };
      const event = { at: this.now + milliseconds, happen };
      const forget = token.whenOver(() => {
        this.#events = this.#events.filter((one) => one !== event);
        forget();
        reject(new GivenUp());
      });
      this.#events.push(event);
    });
  }

  /** Lets time pass until nothing more happens. */
  async run(): Promise<void> {
    for (;;) {
      await setImmediate();
      this.#events.sort((one, other) => one.at - other.at);
      const next = this.#events.shift();
      if (!next) return;
      const [after] = this.#events;
      if (after && after.at - next.at < close) this.isClose = true;
      this.now = next.at;
      next.happen();
    }
  }
}
