import { hash } from "node:crypto";

const digits = 16;

/**
 * The id of a call in letters, digits, hyphens and underscores: some vendors give others (`functions.lookup:0`), and
 * some refuse them.
 */
export const acceptedId = (id: string, longest = Number.POSITIVE_INFINITY): string =>
  shortened(id.replace(/[^A-Za-z0-9_-]/g, "_"), id, longest);

/** The id of a call for vendors that take any characters, and so many of them. */
export const shortId = (id: string, longest: number): string => shortened(id, id, longest);

/** An id for a call whose vendor gives none: the same for the same call of an answer, and hardly ever that of another one. */
export const callIdOf = (name: unknown, args: string, index: number): string =>
  `call_${hash("sha256", `${name} ${args}`).slice(0, digits)}_${index}`;

/** What is longer than the longest allowed ends in a digest of the whole, so that ids stay different. */
function shortened(plain: string, id: string, longest: number): string {
  if (plain.length <= longest) return plain;
  const digest = hash("sha256", id).slice(0, digits);
  return `${plain.slice(0, longest - digits - 1)}-${digest}`;
}
