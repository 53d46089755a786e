import type { Exchange, RouteNote } from "../model/exchange.ts";
import type { Walk } from "../model/routing.ts";

/**
 * A walk inside another one, which it is alike but for what a class says otherwise. Classes: a literal with a getter would
 * give every request a hidden class of its own.
 */
export class WalkWithin implements Walk {
  readonly config?: string;
  protected readonly outer: Walk;
  /** Where it is not that of the walk around it. */
  protected own: Exchange | undefined;

  constructor(outer: Walk, exchange?: Exchange) {
    if (outer.config !== undefined) this.config = outer.config;
    this.outer = outer;
    this.own = exchange;
  }

  get exchange(): Exchange {
    return this.own ?? this.outer.exchange;
  }

  get number(): number {
    return this.outer.number;
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

  note(path: string, message: string, more?: Pick<RouteNote, "known">): void {
    this.outer.note(path, message, more);
  }
}
