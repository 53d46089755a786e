import { z } from "zod";
import { errorMessage } from "../errors/error-message.ts";
import { suggestion } from "../nearest.ts";
import type { Plugin } from "../plugin.ts";
import type { ProviderDefinition } from "../provider-kit/index.ts";
import { turn } from "../time/turn.ts";
import type { ConfigDocument } from "./document.ts";
import { ModuleError, type ModuleLoader } from "./modules.ts";
import { validate } from "./validate.ts";

/** A plugin of the file, its options read. */
export interface ConfiguredPlugin {
  /** What the file calls it. */
  readonly name: string;
  readonly plugin: Plugin;
  readonly options: unknown;
}

/** A provider of the file, its options read. */
export interface ConfiguredProvider {
  readonly slug: string;
  readonly definition: ProviderDefinition;
  readonly options: unknown;
}

/** An entry of `plugins` or `providers` whose module could be loaded. Options that are wrong are absent. */
export interface Entry<Module> {
  readonly name: string;
  readonly module: Module;
  readonly options: { readonly value: unknown } | undefined;
}

/** What differs between the two sections. */
export interface Section<Module> {
  readonly key: "plugins" | "providers";
  readonly what: string;
  readonly known: readonly string[];
  load(specifier: string): Promise<Module>;
}

export const pluginSection = (loader: ModuleLoader, folder: string): Section<Plugin> => ({
  key: "plugins",
  what: "plugin",
  known: loader.knownPlugins(),
  load: (specifier) => loader.plugin(specifier, folder),
});

export const providerSection = (loader: ModuleLoader, folder: string): Section<ProviderDefinition> => ({
  key: "providers",
  what: "provider",
  known: loader.knownProviders(),
  load: (specifier) => loader.provider(specifier, folder),
});

const entryName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const shapeOf = (what: string) =>
  z.record(
    z.string().regex(entryName, `the name of a ${what} is letters, digits, ".", "_" and "-"`),
    z.record(z.string(), z.unknown()).nullable(),
  );

type Options = Readonly<Record<string, unknown>>;

/** Reads a section. `complete` tells whether every module in it could be loaded. */
export async function readEntries<Module extends { readonly options: z.ZodType }>(
  section: Section<Module>,
  value: unknown,
  document: ConfigDocument,
): Promise<{ entries: Entry<Module>[]; complete: boolean }> {
  const shape = shapeOf(section.what);
  await validate({ schema: shape, value, path: [section.key] }, document);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { entries: [], complete: true };
  const usable = Object.entries(value).filter(([name, options]) => shape.safeParse({ [name]: options }).success);
  const loaded = await Promise.all(
    usable.map(async ([name, given]) => {
      const { use, ...options } = (given ?? {}) as Options;
      return { name, options, module: await loadModule(section, name, use, document) };
    }),
  );
  const entries: Entry<Module>[] = [];
  for (const { name, options, module } of loaded) {
    if (!module) continue;
    // A reload reads the file while requests are answered.
    await turn();
    const path = [section.key, name];
    const read = await validate({ schema: module.options, value: options, path, otherKeys: ["use"] }, document);
    entries.push({ name, module, options: read });
  }
  return { entries, complete: entries.length === Object.keys(value).length };
}

async function loadModule<Module>(section: Section<Module>, name: string, use: unknown, document: ConfigDocument) {
  const path = [section.key, name];
  const place = document.place(use === undefined ? path : [...path, "use"]);
  if (place.reference?.failed) return undefined;
  if (document.failed.some((failed) => failed.join("\u0000") === path.join("\u0000"))) return undefined;
  if (use !== undefined && typeof use !== "string") {
    document.report.add(
      [...path, "use"],
      place.valueAt,
      "expected text: a built-in name, a relative path or a package",
    );
    return undefined;
  }
  if (use === undefined && !section.known.includes(name)) {
    const remedy = suggestion(name, section.known, section.key);
    const other = remedy.endsWith("?") ? "" : '; load any other with "use"';
    document.report.add(path, place.keyAt, `unknown ${section.what} "${name}"; ${remedy}${other}`);
    return undefined;
  }
  try {
    return await section.load(use ?? name);
  } catch (error) {
    const cause = error instanceof ModuleError ? error.cause : error;
    const variables = place.reference?.variables ?? [];
    // The message names the module, and the value of a variable is never printed.
    const message = variables.length > 0 ? `cannot load what ${variables.join(" and ")} names` : errorMessage(error);
    document.report.add(path, use === undefined ? place.keyAt : place.valueAt, message, cause);
    return undefined;
  }
}
