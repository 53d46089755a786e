import { lstatSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * When a config file came to be what it is at its path, Unix milliseconds; undefined where there is none. What counts is when
 * its file system last saw it change (`ctime`): an edit, a copy that keeps an older date, another file moved or linked into
 * its place. A modification time would be the oldest of these things, or, in images, the same for all that is ever built.
 */
export function changedAt(file: string): number | undefined {
  const last = statSync(file, { throwIfNoEntry: false })?.ctimeMs;
  return last === undefined ? undefined : Math.max(last, ...linkedAt(resolve(file)));
}

/** When the links on the way to a file were made. */
function linkedAt(path: string): number[] {
  const folder = dirname(path);
  const found = lstatSync(path, { throwIfNoEntry: false });
  const own = found?.isSymbolicLink() ? [found.ctimeMs] : [];
  return folder === path ? own : [...linkedAt(folder), ...own];
}
