import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type ModuleLoader, moduleLoader } from "../config/index.ts";
import type { Plugin } from "../plugin.ts";
import type { ProviderDefinition } from "../provider-kit/index.ts";

/** A folder that ends with the test, with these files in it. */
export function temporaryFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-cli-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Knows what the product comes with, and these. */
export function loaderWith(more: {
  readonly plugins?: readonly Plugin[];
  readonly providers?: readonly ProviderDefinition[];
}): ModuleLoader {
  const real = moduleLoader();
  const plugins = new Map((more.plugins ?? []).map((plugin) => [plugin.name, plugin]));
  const providers = new Map((more.providers ?? []).map((provider) => [provider.name, provider]));
  return {
    plugin: async (name, folder) => plugins.get(name) ?? real.plugin(name, folder),
    provider: async (name, folder) => providers.get(name) ?? real.provider(name, folder),
    knownPlugins: () => [...real.knownPlugins(), ...plugins.keys()],
    knownProviders: () => [...real.knownProviders(), ...providers.keys()],
  };
}
