import type { Outcome } from "../model/route.ts";
import type { OutcomeTest, Walk } from "../model/routing.ts";
import { WalkWithin } from "./walk-within.ts";

const always: OutcomeTest = () => true;

/** A walk in which something else will be tried: always, or after an attempt only when its outcome is one to go on from. */
export class WalkWithAlternatives extends WalkWithin {
  last: Outcome | undefined;
  readonly #goesOn: OutcomeTest;

  constructor(walk: Walk, goesOn: OutcomeTest = always) {
    super(walk);
    this.#goesOn = goesOn;
  }

  override get alternatives(): boolean {
    return this.last === undefined || this.#goesOn(this.last) || this.outer.alternatives;
  }
}
