import type { Exchange } from "../model/exchange.ts";
import type { Walk } from "../model/routing.ts";

/**
 * A walk inside another one, which it is alike but for what a class says otherwise. Classes: a literal with a getter would
 * give every request a hidden class of its own.
 */
export class WalkWithin implements Walk {
  readonly exchange: Exchange;
  readonly config?: string;
  protected readonly outer: Walk;

  constructor(outer: Walk, exchange: Exchange = outer.exchange) {
    this.exchange = exchange;
    if (outer.config !== undefined) this.config = outer.config;
    this.outer = outer;
  }

  get alternatives(): boolean {
    return this.outer.alternatives;
  }

  random(): number {
    return this.outer.random();
  }

  now(): number {
    return this.outer.now();
  }

  note(path: string, message: string): void {
    this.outer.note(path, message);
  }
}
