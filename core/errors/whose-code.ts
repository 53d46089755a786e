import { sep } from "node:path";
import { framesOf, product } from "./thrown-at.ts";

/** A plugin or a provider, by the name it has in its own code. */
export type Whose = { readonly plugin: string } | { readonly provider: string };

/** By their files, or by the folders that are all theirs. */
const known = new Map<string, Whose>();

/** What of a path is the folder of one module alone: an installed package, or what has an index. */
const installed = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+(?=[/\\])/;
const indexed = /^.*(?=[/\\]index\.\w+$)/;

/** Remembers whose code a file is that was imported. The gateway may be an installed package itself, which is nobody's alone. */
export function noteCode(file: string, whose: Whose, gateway = product): void {
  const [folder] = (file.startsWith(gateway) ? undefined : installed.exec(file)) ?? indexed.exec(file) ?? [];
  known.set(folder === undefined ? file : folder + sep, whose);
}

/**
 * Whose code a failure comes from that nobody waited for, as far as its stack says: no tap and no hook is left that it could be
 * told of. Undefined where nothing but code of the gateway, of a library or of node is in it.
 */
export function whoseCode(error: unknown): Whose | undefined {
  if (!(error instanceof Error)) return undefined;
  for (const { file } of framesOf(error)) {
    const whose = known.get(file) ?? [...known].find(([place]) => isIn(file, place))?.[1];
    if (whose) return whose;
  }
  return undefined;
}

/** What is installed in a folder is not of it: the gateway itself may be. */
const isIn = (file: string, place: string): boolean =>
  place.endsWith(sep) && file.startsWith(place) && !/[/\\]node_modules[/\\]/.test(file.slice(place.length - 1));
