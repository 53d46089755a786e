import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds core/, plugins/ and providers/. */
export const productFolder = fileURLToPath(new URL("../../../", import.meta.url));

/** How a file in some folder names a module: by package where that is found from there, else by a relative path. */
export type Importing = (specifier: string) => string;

/** `folder` is absolute, with its links resolved. */
export function importsFrom(folder: string, product = productFolder): Importing {
  const inside = `${folder}${sep}`.startsWith(product);
  const resolves = resolverOf(folder);
  // Both or neither: a package that is only found in part is another one of that name.
  const installed = !inside && resolves("sluice") && resolves("sluice/provider-kit");
  return (specifier) => {
    if (!specifier.startsWith("sluice"))
      return resolves(specifier) ? specifier : pathTo(folder, entryOf(specifier, product));
    return installed ? specifier : pathTo(folder, join(product, ownFile(specifier, product)));
  };
}

function resolverOf(folder: string): (specifier: string) => boolean {
  const { resolve } = createRequire(join(folder, "index.ts"));
  return (specifier) => {
    try {
      resolve(specifier);
      return true;
    } catch {
      return false;
    }
  };
}

function pathTo(folder: string, file: string): string {
  const path = relative(folder, file).replaceAll(sep, "/");
  return path.startsWith(".") ? path : `./${path}`;
}

/** Which file of the product a specifier means: what its package.json exports. */
function ownFile(specifier: string, product: string): string {
  const { exports } = JSON.parse(readFileSync(join(product, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, string>>;
  };
  const file = exports[`.${specifier.slice("sluice".length)}`];
  if (file === undefined) throw new Error(`package.json does not export ${specifier}`);
  return file;
}

/** The module the product itself uses. */
const entryOf = (name: string, product: string): string =>
  join(dirname(createRequire(join(product, "package.json")).resolve(`${name}/package.json`)), "index.js");

/** Lines of import, packages first, in the order the formatter keeps. */
export const importLines = (imports: readonly (readonly [names: string, from: string])[]): string =>
  [...imports]
    .sort(
      ([, left], [, right]) => Number(left.startsWith(".")) - Number(right.startsWith(".")) || (left < right ? -1 : 1),
    )
    .map(([names, from]) => `import ${names} from "${from}";`)
    .join("\n");
