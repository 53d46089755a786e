import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Frees what nobody holds any more, at once: what a `WeakRef` still has afterwards is held by somebody. */
export const collectGarbage = runInNewContext("gc") as () => void;
