import v8 from "node:v8";
import { isFlagSet } from "./v8-flags.ts";

const flag = "heap-growing-percent";

/**
 * Lets what outlives a few requests triple before all of it is gone through for garbage. V8 counts the bytes of bodies on
 * their way as such, and begins anew with every 24 MB of them: with bodies of 100 KB that is at every hundredth request, and
 * takes longer than the requests (decision 0041). Whoever starts node with a percentage has that one.
 */
export function letHeapGrow(): void {
  if (!isFlagSet(flag)) v8.setFlagsFromString(`--${flag}=200`);
}
