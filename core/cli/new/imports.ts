import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds core/, plugins/ and providers/. */
export const productFolder = fileURLToPath(new URL("../../../", import.meta.url));

/** How a file in some folder names a module of the product: as a package where it is installed, else by its path. */
export type Importing = (specifier: string) => string;

/** `folder` is absolute, with its links resolved. */
export function importsFrom(folder: string, product = productFolder): Importing {
  const inside = `${folder}${sep}`.startsWith(product);
  // Both or neither: a package that is only found in part is another one of that name.
  const installed = !inside && ["sluice", "sluice/provider-kit"].every((specifier) => resolves(specifier, folder));
  return (specifier) => (installed ? specifier : pathTo(folder, join(product, ownFile(specifier, product))));
}

function resolves(specifier: string, folder: string): boolean {
  try {
    createRequire(join(folder, "index.ts")).resolve(specifier);
    return true;
  } catch {
    return false;
  }
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

/** Lines of import, packages first, in the order the formatter keeps. */
export const importLines = (imports: readonly (readonly [names: string, from: string])[]): string =>
  [...imports]
    .sort(
      ([, left], [, right]) => Number(left.startsWith(".")) - Number(right.startsWith(".")) || (left < right ? -1 : 1),
    )
    .map(([names, from]) => `import ${names} from "${from}";`)
    .join("\n");
