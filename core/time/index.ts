/** Waits for a promise, but not for ever. */
export { atMost } from "./at-most.ts";
export { withDeadline } from "./deadline.ts";
/** Many things, so many of them at once. */
export { inLanes } from "./in-lanes.ts";
/** What takes the processor for long is done in turns with others. */
export { madeInTurns } from "./in-turns.ts";
export { timerFor } from "./longest-timer.ts";
export { turn } from "./turn.ts";
/** Instants as ISO 8601, one after the other. */
export { instantOf, writtenInstant } from "./written-instant.ts";
