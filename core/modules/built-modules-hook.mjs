import { made } from "./at-once.mjs";

/** A plugin from elsewhere imports the gateway by its package name: it gets the modules that run, not a second copy. */
let built = new Map();

export function initialize(entries) {
  built = new Map(entries);
}

export function resolve(specifier, context, next) {
  return made(next(specifier, context), (found) => {
    const url = built.get(found.url);
    return url ? { ...found, url, format: "module" } : found;
  });
}
