import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import { made } from "./at-once.mjs";

/**
 * What a module from elsewhere may rely on. The package `sluice` is the gateway that runs it, whether or not its folder has
 * it installed: a second copy would have classes of its own. And what is written as a module is one: a plugin beside a
 * config file often has no package.json around it, and would be taken for CommonJS then, which cannot import the gateway.
 * What is imported once more since it failed (core/config/modules.ts) has its own files read once more, too: it may have failed
 * because of one of them, and node keeps what they threw.
 */
export function resolve(specifier, context, next) {
  // A package finds itself by its own name.
  const where = /^sluice(?:$|\/)/.test(specifier) ? { ...context, parentURL: import.meta.url } : context;
  const again = /^\.\.?\//.test(specifier) ? /\?again=\d+$/.exec(context.parentURL ?? "")?.[0] : undefined;
  return made(next(specifier, where), (seen) => {
    const found = { ...seen, url: plain(seen.url) };
    const typed = isModule(found) ? { ...found, format: "module" } : found;
    return again && isOwnFile(found) ? { ...typed, url: found.url + again } : typed;
  });
}

/**
 * Of TypeScript that it takes for CommonJS tsx makes something else where names of it are imported: what fails in there, and
 * in what it imports, is a failure that nobody caught.
 */
const plain = (url) => url.replace(/(\.ts)(?:%3F|\?)tsx-commonjs-export-preparse=1.*$/, "$1");

/** The gateway is never there twice. */
const rooms = ["core", "plugins", "providers"].map((room) => new URL(`../../${room}/`, import.meta.url).href);

const isOwnFile = ({ url }) => /^file:[^?#]*$/.test(url) && !rooms.some((room) => url.startsWith(room));

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
