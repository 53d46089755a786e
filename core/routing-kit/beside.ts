import type { Lane, Outcome, Route, Target } from "../model/route.ts";

/** A route whose first call has other routes beside it. */
export function* besideFirst(route: Route, lanes: readonly Lane[]): Route {
  const steps: Iterator<Target, Outcome, Outcome | undefined> = route;
  let step = steps.next(undefined);
  let first = true;
  try {
    while (!step.done) {
      const target: Target = step.value;
      const beside = [...(target.beside ?? []), ...lanes];
      step = steps.next(yield first ? { ...target, beside } : target);
      first = false;
    }
  } finally {
    // A route that is left is left all the way in.
    steps.return?.();
  }
  // To whoever is further out the route and what is beside it are one.
  const { rival, ...outcome } = step.value;
  return rival ? outcome : step.value;
}
