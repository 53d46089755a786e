import { statSync } from "node:fs";
import { wayTo } from "./way-to.ts";

/**
 * When a config file came to be what it is at its path, Unix milliseconds; undefined where there is none, or it cannot be
 * reached: who reads it says why. What counts is when its file system last saw it change (`ctime`): an edit, a copy that
 * keeps an older date, another file moved or linked into its place, however many links lead there. A modification time
 * would be the oldest of these things, or, in images, the same for all that is ever built.
 */
export function changedAt(file: string): number | undefined {
  try {
    return Math.max(statSync(file).ctimeMs, ...linkedAt(file));
  } catch {
    return undefined;
  }
}

/** When the links on the way to a file were made, and those that they lead through. */
const linkedAt = (file: string): number[] =>
  [...wayTo(file)].flatMap(({ stats }) => (stats?.isSymbolicLink() ? [stats.ctimeMs] : []));
