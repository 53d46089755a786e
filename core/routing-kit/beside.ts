import type { Exchange } from "../model/exchange.ts";
import type { Lane, Route, Target } from "../model/route.ts";
import { goOn, type Steps } from "./seeing.ts";
import { WalkWithin } from "./walk-within.ts";

/** A route whose first call has other routes beside it. */
export const besideFirst = (route: Route, lanes: readonly Lane[]): Route =>
  firstChanged(route, (target) => ({ ...target, beside: [...(target.beside ?? []), ...lanes] }));

/** A walk that goes on for another exchange when its route is walked as a lane. */
export class MovingWalk extends WalkWithin {
  moveTo(branch: Exchange): void {
    this.own = branch;
  }
}

/**
 * A route that others race. Where the race is run, it is one of the lanes itself: its first target goes on to its retries,
 * a group to its next child, and a race within is run to its end, by how they did, while the others are under way. The
 * outcome is that of the race.
 */
export function raced(route: Route, rivals: readonly Lane[], walk: MovingWalk): Route {
  if (rivals.length === 0) return route;
  let isLane = false;
  const withRivals = (target: Target, steps: Steps): Target => ({
    ...target,
    beside: rivals,
    ...(target.beside && { besideWithin: [...(target.besideWithin ?? []), ...target.beside] }),
    asLane(branch) {
      isLane = true;
      walk.moveTo(branch);
      return goOn(steps, { done: false, value: target });
    },
  });
  return firstChanged(route, withRivals, () => isLane);
}

/** A route whose first target is changed. Where somebody else has walked on from there, the outcome of that is its own. */
function* firstChanged(
  route: Route,
  change: (target: Target, steps: Steps) => Target,
  isWalked: () => boolean = () => false,
): Route {
  const steps: Steps = route;
  const begun = steps.next(undefined);
  if (begun.done) return begun.value;
  try {
    const outcome = yield change(begun.value, steps);
    return isWalked() ? outcome : yield* goOn(steps, steps.next(outcome));
  } finally {
    steps.return?.();
  }
}
