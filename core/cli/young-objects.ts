import v8 from "node:v8";
import { isFlagSet } from "./v8-flags.ts";

const flag = "allocation-site-pretenuring";

/**
 * Has objects made among the young ones, always. V8 notes at which places of the code those are made that outlive small
 * collections of garbage, and makes them among the old ones from then on. Where it looks while many requests begin at once,
 * it notes that of what every request is made of: all that hangs on a request then outlives it, is copied twice, and waits
 * for the whole heap to be gone through, for as long as the process lives (decision 0069). Whoever starts node with the flag
 * has it as they said.
 */
export function keepObjectsYoung(): void {
  if (!isFlagSet(flag)) v8.setFlagsFromString(`--no-${flag}`);
}
