import { remembered } from "../../keeping/remembered.ts";
import { canUnpack } from "../reply/unpacked.ts";

/**
 * An `accept-encoding` without what cannot be unpacked here (operations.md section 8.1): what passes is read on the side, for
 * what it used and what it costs.
 */
export const readableEncodings: (accepted: string) => string = remembered({ most: 1_000, longest: 200 }, (accepted) => {
  const all = accepted.split(",").map((one) => one.trim());
  const readable = all.filter((one) => canUnpack(one.replace(/;.*$/s, "")));
  return readable.length === all.length ? accepted : readable.length > 0 ? readable.join(", ") : "identity";
});
