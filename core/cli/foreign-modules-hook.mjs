/**
 * What a module from elsewhere may rely on. The package `sluice` is the gateway that runs it, whether or not its folder has
 * it installed: a second copy would have classes of its own. And TypeScript is always a module: a plugin beside a config
 * file often has no package.json around it, and node takes it for CommonJS then, which could not import the gateway.
 */
export async function resolve(specifier, context, next) {
  // A package finds itself by its own name.
  const where = /^sluice(?:$|\/)/.test(specifier) ? { ...context, parentURL: import.meta.url } : context;
  const found = await next(specifier, where);
  return /\.ts(?:$|[?#])/.test(found.url) ? { ...found, format: "module" } : found;
}
