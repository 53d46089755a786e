import type { Outcome, Route, Target } from "../model/route.ts";

/** A route whose outcomes are seen on their way in. */
export function* seeing(route: Route, see: (outcome: Outcome) => void): Route {
  const steps: Iterator<Target, Outcome, Outcome | undefined> = route;
  let step = steps.next(undefined);
  try {
    while (!step.done) {
      const outcome = yield step.value;
      see(outcome);
      step = steps.next(outcome);
    }
  } finally {
    // A route that is left is left all the way in.
    steps.return?.();
  }
  return step.value;
}
