import { existsSync, readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join } from "node:path";

/** `name`, `@scope/name`, and a path below either. */
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:\/[\w.~-]+)*$/;

export const isPackageName = (specifier: string): boolean =>
  packageName.test(specifier) && !specifier.split("/").includes("..") && !isBuiltin(specifier);

/** The file an installed package is imported from, seen from a folder; nothing when it is not installed. */
export function resolvePackage(specifier: string, folder: string): string | undefined {
  try {
    return createRequire(join(folder, "gateway.yaml")).resolve(specifier);
  } catch {
    // Node resolves for `require` here, which packages made only for `import` refuse: read their exports ourselves.
    return resolveForImport(specifier, folder);
  }
}

function resolveForImport(specifier: string, folder: string): string | undefined {
  const parts = specifier.split("/");
  const length = specifier.startsWith("@") ? 2 : 1;
  const home = packageFolder(parts.slice(0, length).join("/"), folder);
  if (home === undefined) return undefined;
  const entry = [".", ...parts.slice(length)].join("/");
  const manifest: unknown = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const exported =
    typeof manifest === "object" && manifest !== null && "exports" in manifest ? manifest.exports : undefined;
  const target = targetOf(exported, entry);
  if (target?.startsWith("./") && !target.split("/").includes("..")) return join(home, target);
  return undefined;
}

function packageFolder(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

const conditions = new Set(["node", "import", "module-sync", "default"]);

/** The file of an `exports` field: the first condition that holds, as Node takes it. Patterns with `*` are not read. */
function targetOf(exported: unknown, entry: string): string | undefined {
  if (typeof exported === "string") return entry === "." ? exported : undefined;
  if (typeof exported !== "object" || exported === null) return undefined;
  const keyed = Object.entries(exported);
  if (keyed.some(([key]) => key.startsWith("."))) return conditional(keyed.find(([key]) => key === entry)?.[1]);
  return entry === "." ? conditional(exported) : undefined;
}

function conditional(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (typeof target !== "object" || target === null) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const found = conditions.has(condition) ? conditional(inner) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
