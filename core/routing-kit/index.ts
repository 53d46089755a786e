/** What strategies of the routing config are made from. */

export { besideFirst, MovingWalk, raced } from "./beside.ts";
export { inTurn, movesOn } from "./moves-on.ts";
export { retryAfterOf } from "./retry-after.ts";
export { seeing } from "./seeing.ts";
export { statusCodes } from "./status-codes.ts";
export { WalkWithAlternatives } from "./walk-with-alternatives.ts";
export { WalkWithin } from "./walk-within.ts";
export { noWeight, pick, weighed } from "./weights.ts";
export { withoutShut } from "./without-shut.ts";
