import type { Exchange } from "../model/exchange.ts";
import type { Lane, Outcome, Route, Target } from "../model/route.ts";
import { WalkWithin } from "./walk-within.ts";

type Steps = Iterator<Target, Outcome, Outcome | undefined>;

/** A route whose first call has other routes beside it. */
export function* besideFirst(route: Route, lanes: readonly Lane[]): Route {
  const steps: Steps = route;
  const begun = steps.next(undefined);
  if (begun.done) return begun.value;
  const target = begun.value;
  try {
    const outcome = yield { ...target, beside: [...(target.beside ?? []), ...lanes] };
    return yield* goOn(steps, steps.next(outcome));
  } finally {
    // A route that is left is left all the way in.
    steps.return?.();
  }
}

/** A walk that goes on for another exchange when its route is walked as a lane. */
export class MovingWalk extends WalkWithin {
  moveTo(branch: Exchange): void {
    this.own = branch;
  }
}

/**
 * A route that others race. Where the race is run, it is one of the lanes itself: its first target goes on to its retries,
 * and a group to its next child, by how they did, while the others are under way. The outcome is that of the race.
 */
export function* raced(route: Route, rivals: readonly Lane[], walk: MovingWalk): Route {
  const steps: Steps = route;
  const begun = steps.next(undefined);
  if (begun.done) return begun.value;
  const { beside = [], asLane: _, ...target } = begun.value;
  let isLane = false;
  const asLane = (branch: Exchange): Route => {
    isLane = true;
    walk.moveTo(branch);
    return goOn(steps, { done: false, value: target });
  };
  try {
    const outcome = yield { ...target, beside: [...beside, ...rivals], asLane };
    return isLane ? outcome : yield* goOn(steps, steps.next(outcome));
  } finally {
    steps.return?.();
  }
}

/** The rest of a route, of which `step` is what it said last. */
function* goOn(steps: Steps, step: IteratorResult<Target, Outcome>): Route {
  let next = step;
  try {
    while (!next.done) next = steps.next(yield next.value);
  } finally {
    steps.return?.();
  }
  return next.value;
}
