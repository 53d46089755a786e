import { randomUUID } from "node:crypto";

/** What the ids of a millisecond begin with. */
let begun = { at: Number.NaN, text: "" };

/**
 * A UUID whose beginning is the moment it was made at, in Unix milliseconds: version 7 of RFC 9562 (section 5.7). What is
 * made together stands together in an index, and is written to few of its pages.
 */
export function timeOrderedId(now = Date.now()): string {
  if (now !== begun.at) {
    const time = now.toString(16).padStart(12, "0");
    begun = { at: now, text: `${time.slice(0, 8)}-${time.slice(8)}-7` };
  }
  return begun.text + randomUUID().slice(15);
}

/** A UUID as its 32 digits. A search for what is known to be there takes several times as long. */
export const withoutDashes = (id: string): string =>
  id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
