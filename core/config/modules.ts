import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { checkPlugin, isCheck } from "../check-plugin.ts";
import { thrownAt } from "../errors/thrown-at.ts";
import { noteCode } from "../errors/whose-code.ts";
import { addressOf } from "../modules/module-address.ts";
import { suggestion } from "../nearest.ts";
import type { Plugin } from "../plugin.ts";
import type { ProviderDefinition } from "../provider-kit/index.ts";
import { atMost } from "../time/at-most.ts";
import { isPackageName, resolvePackage } from "./packages.ts";

/** Finds and imports what the config file names. Rejects with a ModuleError. */
export interface ModuleLoader {
  /** `specifier` is a built-in name, a path relative to `folder`, or a package installed there. */
  plugin(specifier: string, folder: string): Promise<Plugin>;
  provider(specifier: string, folder: string): Promise<ProviderDefinition>;
  /** The built-in ones. */
  knownPlugins(): string[];
  knownProviders(): string[];
}

/** A module cannot be had. The message is for the person who wrote the config file. */
export class ModuleError extends Error {
  override readonly name = "ModuleError";
}

const builtInName = /^[a-z0-9-]+$/;
const relativePath = /^\.\.?\//;
const codeFile = /\.(ts|mts|js|mjs)$/;

type Kind = "plugin" | "provider";
const rooms = { plugin: "plugins", provider: "providers" } as const;
const makers = { plugin: "definePlugin", provider: "defineProvider" } as const;

/** The folder that holds core/, plugins/ and providers/. */
const productFolder = fileURLToPath(new URL("../../", import.meta.url));

/** Milliseconds within which a module is imported, with all that it imports. */
const longestImport = 60_000;

/** The loader of the product. There is no list of plugins: what stands in the folders is what there is. */
export function moduleLoader(root = productFolder, longest = longestImport): ModuleLoader {
  const last: Partial<Record<Kind, readonly string[]>> = {};
  const known = (kind: Kind): string[] => {
    const names = namesIn(join(root, rooms[kind]));
    last[kind] = names;
    return names;
  };
  // Looking into every folder takes long, and is done again only for a name that was not there.
  const knownFor = (kind: Kind, specifier: string): readonly string[] => {
    const before = last[kind];
    return before && (before.includes(specifier) || relativePath.test(specifier)) ? before : known(kind);
  };
  // Node keeps what a module threw, and what one exports that is no use: mended, they are other modules to it.
  const failures = new Map<string, number>();
  const load = async (kind: Kind, specifier: string, folder: string) => {
    const file = locate(kind, specifier, folder, root, knownFor(kind, specifier));
    const before = failures.get(file) ?? 0;
    const failed = () => failures.set(file, before + 1);
    const module = await imported({ file, kind, specifier, longest, before }).catch((error: unknown) => {
      failed();
      throw error;
    });
    const exported = kind === "plugin" && isCheck(module.default) ? checkPlugin(module.default) : module.default;
    if (!isModule(exported, kind)) {
      failed();
      throw new ModuleError(`"${specifier}" ${misfitOf(module, kind)}`);
    }
    noteCode(file, kind === "plugin" ? { plugin: exported.name } : { provider: exported.name });
    return exported;
  };
  return {
    plugin: async (specifier, folder) => (await load("plugin", specifier, folder)) as Plugin,
    provider: async (specifier, folder) => (await load("provider", specifier, folder)) as ProviderDefinition,
    knownPlugins: () => known("plugin"),
    knownProviders: () => known("provider"),
  };
}

/** `name/index.ts` and `name.ts`. */
function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => {
      if (!entry.isDirectory()) return entry.name.endsWith(".ts") ? entry.name.slice(0, -".ts".length) : "";
      return existsSync(join(folder, entry.name, "index.ts")) ? entry.name : "";
    })
    .filter((name) => builtInName.test(name))
    .sort();
}

function locate(kind: Kind, specifier: string, folder: string, root: string, known: readonly string[]): string {
  if (relativePath.test(specifier)) return locateFile(specifier, folder);
  if (known.includes(specifier)) {
    const single = join(root, rooms[kind], `${specifier}.ts`);
    return existsSync(single) ? single : join(root, rooms[kind], specifier, "index.ts");
  }
  if (!isPackageName(specifier)) {
    throw new ModuleError(
      `cannot load "${specifier}"; write a built-in name, a path that begins with ./ or ../, or the name of a package`,
    );
  }
  const file = resolvePackage(specifier, folder);
  if (file !== undefined) return file;
  throw new ModuleError(
    builtInName.test(specifier)
      ? `unknown ${kind} "${specifier}"; ${suggestion(specifier, known, rooms[kind])}`
      : `the package "${specifier}" is not installed in ${folder}`,
  );
}

const indexFiles = ["index.ts", "index.mts", "index.js", "index.mjs"];

/** The file of a provider, as the loader of the product finds it. Throws a ModuleError. */
export const locateProvider = (specifier: string, folder: string, root = productFolder): string =>
  locate("provider", specifier, folder, root, namesIn(join(root, rooms.provider)));

function locateFile(specifier: string, folder: string): string {
  const file = resolve(folder, specifier);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new ModuleError(`file not found: ${file}`);
  const index = found.isDirectory() ? indexFiles.find((name) => existsSync(join(file, name))) : undefined;
  if (index !== undefined) return join(file, index);
  if (found.isDirectory()) throw new ModuleError(`the folder "${specifier}" has no index.ts or index.js`);
  if (!found.isFile() || !codeFile.test(file))
    throw new ModuleError(
      `"${specifier}" is not a .ts or .js file${file.endsWith(".cjs") ? "; plugins are ES modules" : ""}`,
    );
  return file;
}

/** What a module is instead of what is looked for, and what helps. */
function misfitOf(module: Readonly<Record<string, unknown>>, kind: Kind): string {
  const other = kind === "plugin" ? "provider" : "plugin";
  if (isModule(module.default, other)) return `is a ${other}; move it to the section "${rooms[other]}"`;
  if (isCheck(module.default)) return `is a check; move it to the section "${rooms.plugin}"`;
  const named = Object.keys(module).find((name) => isModule(module[name], kind));
  const remedy = named === undefined ? "" : `, but as "${named}"; write export default`;
  return `does not export the result of ${makers[kind]}() as its default${remedy}`;
}

type Exports = Readonly<Record<string, unknown>>;

interface Importing {
  readonly file: string;
  readonly kind: Kind;
  readonly specifier: string;
  /** Milliseconds. */
  readonly longest: number;
  /** How often it failed before in this process. */
  readonly before: number;
}

async function imported({ file, kind, specifier, longest, before }: Importing): Promise<Exports> {
  const late = `the ${kind} "${specifier}" is not imported within ${longest} ms: what it awaits outside of functions does not come`;
  try {
    const importing: Promise<unknown> = import(await addressOf(addressFor(file, before)));
    if (!(await atMost(longest, importing))) throw new ModuleError(late);
    return (await importing) as Exports;
  } catch (cause) {
    if (cause instanceof ModuleError) throw cause;
    const again = before > 0 ? "; what it imports itself is read once: where that was mended, start anew" : "";
    const why = unknownEntry(cause) ?? `${firstLine(cause)}${thrownAt(cause)}${remedyFor(cause)}${again}`;
    throw new ModuleError(`the ${kind} "${specifier}" fails to import: ${why}`, { cause });
  }
}

const addressFor = (file: string, before: number): string =>
  `${pathToFileURL(file).href}${before > 0 ? `?again=${before}` : ""}`;

/** What the gateway lets nobody import, in place of the words node has for it, which name files of its own. */
function unknownEntry(cause: unknown): string | undefined {
  if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_PACKAGE_PATH_NOT_EXPORTED")) return undefined;
  const [, path, by = ""] =
    /subpath '\.([^']*)' is not defined by "exports" in (.+?package\.json)/.exec(cause.message) ?? [];
  if (path === undefined || by !== join(productFolder, "package.json")) return undefined;
  const { exports } = JSON.parse(readFileSync(by, "utf8")) as { readonly exports: Readonly<Record<string, string>> };
  const known = Object.keys(exports).map((name) => `sluice${name.slice(1)}`);
  return `it imports "sluice${path}", which there is not; ${suggestion(`sluice${path}`, known, "imports")}`;
}

/** `require` finds no gateway: it is an ES module, and so is what imports it. */
const remedyFor = (cause: unknown): string =>
  cause instanceof Error && /^Cannot find module 'sluice(?:\/[a-z/-]*)?'/.test(cause.message)
    ? '; plugins are ES modules: write import { … } from "sluice" instead of require()'
    : "";

/** The first line, and with it what it announces: the first mistake a compiler found. */
const firstLine = (cause: unknown): string => {
  const [first = "", second = ""] = (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).split(
    "\n",
  );
  return first.endsWith(":") ? `${first} ${second}` : first;
};

const isModule = (value: unknown, kind: Kind): value is Plugin | ProviderDefinition =>
  typeof value === "object" &&
  value !== null &&
  "kind" in value &&
  value.kind === kind &&
  "name" in value &&
  typeof value.name === "string" &&
  "options" in value &&
  typeof value.options === "object" &&
  value.options !== null &&
  "safeParseAsync" in value.options;
