import { randomBytes } from "node:crypto";

/** What the ids of a millisecond begin with. */
let begun = { at: Number.NaN, text: "" };

/** Chance for so many ids is fetched at once: putting a UUID together from its bytes takes longer than this does for all. */
const idsAtOnce = 256;
/** Of each, behind the version: 3 digits, the one that has the variant, 3, and 12. */
const digitsOfId = 19;
let digits = "";
let next = 0;

function chance(): string {
  if (next === digits.length) {
    digits = randomBytes((idsAtOnce * digitsOfId) / 2).toString("hex");
    next = 0;
  }
  const from = next;
  next += digitsOfId;
  const variant = "89ab".charAt(Number.parseInt(digits.charAt(from + 3), 16) & 3);
  return `${digits.slice(from, from + 3)}-${variant}${digits.slice(from + 4, from + 7)}-${digits.slice(from + 7, next)}`;
}

/**
 * A UUID whose beginning is the moment it was made at, in Unix milliseconds: version 7 of RFC 9562 (section 5.7). What is
 * made together stands together in an index, and is written to few of its pages.
 */
export function timeOrderedId(now = Date.now()): string {
  if (now !== begun.at) {
    const time = now.toString(16).padStart(12, "0");
    begun = { at: now, text: `${time.slice(0, 8)}-${time.slice(8)}-7` };
  }
  return begun.text + chance();
}

/** A UUID as its 32 digits. A search for what is known to be there takes several times as long. */
export const withoutDashes = (id: string): string =>
  id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
