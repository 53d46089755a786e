import { isJsonText } from "../../codec-kit/records.ts";
import type { Framing } from "../../model/framing.ts";
import { framingRules } from "./framing.ts";

/** A blank line more than needed is no frame: it goes on as it would have gone on together with one. */
export const isBlank = (rest: Buffer): boolean => rest.every((byte) => byte === 0x0a || byte === 0x0d);

/** A stream may end without the blank line after its last frame: it counts when its data is readable. */
export function isWhole(framing: Framing | undefined, rest: Buffer): boolean {
  // Messages with a length are whole before the stream ends, or never.
  if (framing === "aws-event-stream") return false;
  const events = framingRules(framing).events(rest);
  return events.length > 0 && events.every(({ data }) => data === "[DONE]" || isJsonText(data));
}
