import type { z } from "zod";
import { errorMessage } from "../errors/error-message.ts";
import type { Brought, Plugin } from "../plugin.ts";
import type { ModuleLoader } from "./modules.ts";
import { describeOptions, type OptionDescription } from "./options-table.ts";

/** A built-in plugin, provider or check, as plain data. */
export interface ModuleDescription {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionDescription[];
  /** Names of services; always empty for providers and checks. */
  readonly needs: readonly string[];
  readonly provides: readonly string[];
  /** Why it cannot be loaded, for instance because a package it uses is not installed. */
  readonly problem?: string;
}

interface Describable {
  readonly summary: string;
  readonly options: z.ZodType;
  readonly needs?: readonly { readonly name: string }[];
  readonly provides?: readonly { readonly name: string }[];
}

/** What the product comes with: every folder of plugins/ and providers/. One that is broken is listed all the same. */
export async function knownModules(
  loader: ModuleLoader,
  folder: string,
): Promise<{ plugins: ModuleDescription[]; providers: ModuleDescription[]; checks: ModuleDescription[] }> {
  const [plugins, providers, brought] = await Promise.all([
    Promise.all(loader.knownPlugins().map((name) => describe(name, () => loader.plugin(name, folder)))),
    Promise.all(loader.knownProviders().map((name) => describe(name, () => loader.provider(name, folder)))),
    Promise.all(loader.knownPlugins().map((name) => broughtBy(() => loader.plugin(name, folder)))),
  ]);
  return { plugins, providers, checks: await Promise.all(brought.flat().map((one) => describe(one.name, () => one))) };
}

/** A module of one's own, by its path: a provider or a plugin. One that is neither is told of as a provider that cannot be loaded. */
export async function ownModule(
  path: string,
  loader: ModuleLoader,
  folder: string,
): Promise<Awaited<ReturnType<typeof knownModules>>> {
  const provider = await describe(path, () => loader.provider(path, folder));
  const plugin = provider.problem === undefined ? undefined : await describe(path, () => loader.plugin(path, folder));
  return plugin && plugin.problem === undefined
    ? { plugins: [plugin], providers: [], checks: [] }
    : { plugins: [], providers: [provider], checks: [] };
}

/** One that cannot be loaded, which is told elsewhere, brings nothing. */
async function broughtBy(load: () => Promise<Plugin>): Promise<readonly Brought[]> {
  try {
    return (await (await load()).brings?.()) ?? [];
  } catch {
    return [];
  }
}

async function describe(name: string, load: () => Describable | Promise<Describable>): Promise<ModuleDescription> {
  try {
    const { summary, options, needs = [], provides = [] } = await load();
    const names = (tokens: readonly { name: string }[]) => tokens.map((token) => token.name);
    return { name, summary, options: describeOptions(options), needs: names(needs), provides: names(provides) };
  } catch (error) {
    const problem = errorMessage(error);
    return { name, summary: "", options: [], needs: [], provides: [], problem };
  }
}
