import type { Outcome, Route, Target } from "../model/route.ts";

/** A route as whoever drives it by hand sees it: it begins without an outcome. */
export type Steps = Iterator<Target, Outcome, Outcome | undefined>;

/** A route whose outcomes are seen on their way in, and whose targets may be changed on their way out. */
export const seeing = (route: Route, see: (outcome: Outcome) => void, change?: (target: Target) => Target): Route =>
  goOn(route, undefined, see, change);

/** The rest of a route, of which `step` is what it said last; all of it where it was not asked yet. */
export function* goOn(
  steps: Steps,
  step?: IteratorResult<Target, Outcome>,
  see?: (outcome: Outcome) => void,
  change?: (target: Target) => Target,
): Route {
  let next = step ?? steps.next(undefined);
  try {
    while (!next.done) {
      const outcome = yield change ? change(next.value) : next.value;
      see?.(outcome);
      next = steps.next(outcome);
    }
  } finally {
    // A route that is left is left all the way in.
    if (!next.done) steps.return?.();
  }
  return next.value;
}
