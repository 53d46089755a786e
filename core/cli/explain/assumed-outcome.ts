import type { Outcome, Target } from "../../model/route.ts";
import { outcomeOf } from "../../pipeline/reply/outcome.ts";

/** How a target is taken to have answered, where that makes the route go on or nothing does. */
export const usualStatus = 503;

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Failures first: a group may also go on from what is none. */
const statuses = [usualStatus, ...range(400, 599), ...range(100, 399)];

/** An answer after which the nearest group that has another target goes on to it, so that a walk gets to see all of them. */
export function assumedOutcome({ movesOn = [] }: Pick<Target, "movesOn">): Outcome {
  for (const goesOn of movesOn)
    for (const status of statuses) {
      const outcome = outcomeOf(status);
      if (goesOn(outcome)) return outcome;
    }
  return outcomeOf(usualStatus);
}
