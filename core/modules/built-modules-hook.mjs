/** A plugin from elsewhere imports the gateway by its package name: it gets the modules that run, not a second copy. */
let built = new Map();

export function initialize(entries) {
  built = new Map(entries);
}

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const url = built.get(found.url);
  return url ? { ...found, url, format: "module" } : found;
}
