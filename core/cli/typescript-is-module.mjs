/**
 * A plugin beside a config file often has no package.json around it, and node takes it for CommonJS then: it could not
 * import the gateway. TypeScript that the gateway loads is always a module.
 */
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  return /\.ts(?:$|[?#])/.test(found.url) ? { ...found, format: "module" } : found;
}
