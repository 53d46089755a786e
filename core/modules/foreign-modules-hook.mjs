import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import { made } from "./at-once.mjs";

/**
 * What a module from elsewhere may rely on. The package `sluice` is the gateway that runs it, whether or not its folder has
 * it installed: a second copy would have classes of its own. And what is written as a module is one: a plugin beside a
 * config file often has no package.json around it, and would be taken for CommonJS then, which cannot import the gateway.
 */
export function resolve(specifier, context, next) {
  // A package finds itself by its own name.
  const where = /^sluice(?:$|\/)/.test(specifier) ? { ...context, parentURL: import.meta.url } : context;
  return made(next(specifier, where), (found) => (isModule(found) ? { ...found, format: "module" } : found));
}

const isModule = ({ url, format }) =>
  /\.ts(?:$|[?#])/.test(url) || (format !== "module" && isOwnScript(url) && isWrittenAsModule(url));

/** JavaScript that nobody installed: what is installed says itself what it is. */
const isOwnScript = (url) => /^file:.*\.js(?:$|[?#])/.test(url) && !url.includes("/node_modules/");

/** Known by what node knows it by: as a function, which a script is, it cannot be compiled. */
function isWrittenAsModule(url) {
  try {
    compileFunction(readFileSync(fileURLToPath(url), "utf8"), ["exports", "require", "module"]);
    return false;
  } catch (error) {
    return (
      error instanceof SyntaxError && /import statement|import\.meta|'export'|await is only valid/.test(error.message)
    );
  }
}
