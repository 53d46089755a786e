import type { Attempt } from "../../model/attempt.ts";
import { slot } from "../../slot.ts";

/** What the vendor has said in an attempt, where it was read in one piece: as it came, for finding out whose fault a failure is. */
export const said = slot<Attempt, Buffer>("what the vendor said");
