import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { parse, resolve, sep } from "node:path";

/** Links that are followed on the way to a file; file systems have fewer (Linux: 40, path_resolution(7)). */
const mostLinks = 64;

/** A name on the way to a file. */
export interface Met {
  /** The folder it is really in: no link leads there. */
  readonly folder: string;
  readonly name: string;
  /** Undefined where there is nothing of that name: the way ends there. */
  readonly stats: Stats | undefined;
}

/** What one comes by on the way to a file, folder by folder, and through each link. Throws where a folder cannot be looked into. */
export function* wayTo(file: string): Generator<Met, void> {
  const steps = stepsOf(file);
  let folder = process.cwd();
  let links = 0;
  for (let name = steps.shift(); name !== undefined && links < mostLinks; name = steps.shift()) {
    const place = resolve(folder, name);
    const stats = lstatSync(place, { throwIfNoEntry: false });
    yield { folder, name, stats };
    if (!stats) return;
    if (stats.isSymbolicLink()) {
      links++;
      // Relative to the folder that the link is really in.
      steps.unshift(...stepsOf(readlinkSync(place)));
    } else folder = place;
  }
}

/** The names in a path, behind its root where it has one. */
function stepsOf(path: string): string[] {
  const { root } = parse(path);
  return [root, ...path.slice(root.length).split(sep)].filter((step) => step !== "");
}
