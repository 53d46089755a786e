import type { Attempt } from "../../core/index.ts";

/** Writes down how long a search took, whatever it came to. It does not fail. */
export function timed<Found>(attempt: Attempt, search: () => Found | Promise<Found>): Found | Promise<Found> {
  const since = performance.now();
  const took = (found: Found): Found => {
    attempt.cacheTime = performance.now() - since;
    return found;
  };
  const found = search();
  return found instanceof Promise ? found.then(took) : took(found);
}
