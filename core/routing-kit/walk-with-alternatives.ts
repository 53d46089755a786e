import type { Exchange } from "../model/exchange.ts";
import type { Outcome } from "../model/route.ts";
import type { OutcomeTest, Walk } from "../model/routing.ts";

const always: OutcomeTest = () => true;

/**
 * A walk in which something else will be tried: always, or after an attempt only when its outcome is one to go on from.
 * A class: a literal with a getter would give every request a hidden class of its own.
 */
export class WalkWithAlternatives implements Walk {
  readonly exchange: Exchange;
  readonly config?: string;
  last: Outcome | undefined;
  readonly #walk: Walk;
  readonly #goesOn: OutcomeTest;

  constructor(walk: Walk, goesOn: OutcomeTest = always) {
    this.exchange = walk.exchange;
    if (walk.config !== undefined) this.config = walk.config;
    this.#walk = walk;
    this.#goesOn = goesOn;
  }

  get alternatives(): boolean {
    return this.last === undefined || this.#goesOn(this.last) || this.#walk.alternatives;
  }

  random(): number {
    return this.#walk.random();
  }

  now(): number {
    return this.#walk.now();
  }

  note(path: string, message: string): void {
    this.#walk.note(path, message);
  }
}
