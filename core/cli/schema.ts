import type { ModuleLoader } from "../config/index.ts";
import { ConfigError, jsonSchemaOf, moduleLoader, modulesInUse, processEnvironment } from "../config/index.ts";
import { errorMessage } from "../errors/error-message.ts";
import { type CommandResult, failed, succeeded } from "./command-result.ts";
import type { Surroundings } from "./with-config.ts";

export interface SchemaOptions {
  /** Every plugin and provider there is, not only those of the file. */
  readonly all?: boolean;
}

/** `sluice schema FILE`: the JSON Schema of the file, for exactly the plugins and providers it names. */
export async function schema(
  file: string,
  { all = false }: SchemaOptions = {},
  { loader = moduleLoader(), environment = processEnvironment() }: Surroundings = {},
): Promise<CommandResult> {
  if (all) return schemaOfAll(loader);
  try {
    return succeeded(json(jsonSchemaOf(await modulesInUse(file, loader, environment))));
  } catch (error) {
    if (error instanceof ConfigError) return failed(error.message);
    throw error;
  }
}

async function schemaOfAll(loader: ModuleLoader): Promise<CommandResult> {
  const folder = process.cwd();
  const [plugins, providers] = await Promise.all([
    loadAll(loader.knownPlugins(), (name) => loader.plugin(name, folder)),
    loadAll(loader.knownProviders(), (name) => loader.provider(name, folder)),
  ]);
  const brought = await Promise.all(plugins.loaded.map(([, plugin]) => plugin.brings?.() ?? []));
  const schema = jsonSchemaOf({
    brought: brought.flat(),
    plugins: plugins.loaded.map(([name, plugin]) => ({ name, plugin })),
    providers: providers.loaded.map(([slug, definition]) => ({ slug, definition })),
  });
  return succeeded(json(schema), [...plugins.problems, ...providers.problems].join("\n"));
}

/** One that cannot be loaded, for want of a package it uses, leaves the schema of the others as it is. */
async function loadAll<Module>(names: readonly string[], load: (name: string) => Promise<Module>) {
  const loaded: [string, Module][] = [];
  const problems: string[] = [];
  for (const [index, result] of (await Promise.allSettled(names.map(load))).entries()) {
    const name = names[index] ?? "";
    if (result.status === "fulfilled") loaded.push([name, result.value]);
    else problems.push(`left out: ${errorMessage(result.reason)}`);
  }
  return { loaded, problems };
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
