import type { Check } from "../check-kit/define-check.ts";
import { checkPlugin, isCheck } from "../check-plugin.ts";
import { type ModuleLoader, moduleLoader } from "../config/index.ts";
import type { Plugin } from "../plugin.ts";
import type { ProviderDefinition } from "../provider-kit/provider-definition.ts";

/** Modules that config files name as they do those that come with the product. */
export interface GivenModules {
  readonly plugins?: readonly (Plugin | Check)[] | undefined;
  readonly providers?: readonly ProviderDefinition[] | undefined;
}

export interface GivenLoader extends ModuleLoader {
  /** Which of them nobody has named so far. */
  unnamed(): string[];
}

/** Knows what the product comes with, and these, which win. */
export function loaderWith(given: GivenModules): GivenLoader {
  const real = moduleLoader();
  const plugins = byName("plugin", given.plugins?.map(asPlugin));
  const providers = byName("provider", given.providers);
  const named = new Set<unknown>();
  const noted = <Module>(module: Module): Module => {
    named.add(module);
    return module;
  };
  const names = (modules: ReadonlyMap<string, unknown>, known: string[]) => [...new Set([...known, ...modules.keys()])];
  return {
    plugin: async (name, folder) => noted(plugins.get(name)) ?? real.plugin(name, folder),
    provider: async (name, folder) => noted(providers.get(name)) ?? real.provider(name, folder),
    knownPlugins: () => names(plugins, real.knownPlugins()),
    knownProviders: () => names(providers, real.knownProviders()),
    unnamed: () => [...plugins, ...providers].filter(([, module]) => !named.has(module)).map(([name]) => name),
  };
}

const asPlugin = (module: Plugin | Check): Plugin => (isCheck(module) ? checkPlugin(module) : module);

function byName<Module extends { readonly kind: string; readonly name: string }>(
  kind: string,
  modules: readonly Module[] = [],
): ReadonlyMap<string, Module> {
  const known = new Map<string, Module>();
  for (const [at, module] of modules.entries()) {
    if (module?.kind !== kind)
      throw new Error(`${kind}s[${at}] is not a ${kind}: give what the module exports as its default.`);
    if (known.has(module.name)) throw new Error(`Two ${kind}s that are given are called "${module.name}".`);
    known.set(module.name, module);
  }
  return known;
}
