import { dirname, resolve } from "node:path";
import type { Environment } from "../environment.ts";
import { readDocument } from "./document.ts";
import { pluginSection, providerSection, readEntries } from "./entries.ts";
import type { SchemaModules } from "./json-schema.ts";
import type { ModuleLoader } from "./modules.ts";
import { readSource } from "./read.ts";

/**
 * The modules a file names, whatever is wrong with their options: an editor needs the schema of a file most while the
 * file is not right yet. Throws a ConfigError when the file cannot be parsed or a module cannot be loaded.
 */
export async function modulesInUse(
  file: string,
  loader: ModuleLoader,
  environment: Environment,
): Promise<SchemaModules> {
  const folder = dirname(resolve(file));
  const document = readDocument(file, readSource(file), environment);
  const root: object = typeof document.root === "object" && document.root !== null ? document.root : {};
  const part = (key: string) => (Object.hasOwn(root, key) ? (root as Record<string, unknown>)[key] : undefined) ?? {};
  const [plugins, providers] = await Promise.all([
    readEntries(pluginSection(loader, folder), part("plugins"), document),
    readEntries(providerSection(loader, folder), part("providers"), document),
  ]);
  if (!plugins.complete || !providers.complete) document.report.settle();
  const brought = await Promise.all(plugins.entries.map(({ module }) => module.brings?.() ?? []));
  return {
    brought: brought.flat(),
    plugins: plugins.entries.map(({ name, module }) => ({ name, plugin: module })),
    providers: providers.entries.map(({ name, module }) => ({ slug: name, definition: module })),
  };
}
