import { lstatSync, readlinkSync, statSync } from "node:fs";
import { parse, resolve, sep } from "node:path";

/** Links that are followed on the way to a file; file systems have fewer (Linux: 40, path_resolution(7)). */
const mostLinks = 64;

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
function linkedAt(file: string): number[] {
  const times: number[] = [];
  const steps = stepsOf(file);
  let place = process.cwd();
  for (let step = steps.shift(); step !== undefined && times.length < mostLinks; step = steps.shift()) {
    const next = resolve(place, step);
    const found = lstatSync(next);
    if (found.isSymbolicLink()) {
      times.push(found.ctimeMs);
      // Relative to the folder that the link is really in.
      steps.unshift(...stepsOf(readlinkSync(next)));
    } else place = next;
  }
  return times;
}

/** The names in a path, behind its root where it has one. */
function stepsOf(path: string): string[] {
  const { root } = parse(path);
  return [root, ...path.slice(root.length).split(sep)];
}
