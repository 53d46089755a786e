import type { Exchange } from "../model/exchange.ts";
import type { Walk } from "../model/routing.ts";

/** The same walk for a branch of its exchange, which runs beside it. */
export class WalkOfBranch implements Walk {
  readonly exchange: Exchange;
  readonly config?: string;
  readonly #walk: Walk;

  constructor(walk: Walk, exchange: Exchange) {
    this.exchange = exchange;
    if (walk.config !== undefined) this.config = walk.config;
    this.#walk = walk;
  }

  get alternatives(): boolean {
    return this.#walk.alternatives;
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
