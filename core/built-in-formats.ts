import { type ModuleLoader, moduleLoader } from "./config/index.ts";
import { type Kernel, startKernel } from "./kernel.ts";
import { silentLogger } from "./log.ts";
import type { Plugin } from "./plugin.ts";
import type { ProviderRegistry } from "./provider-kit/registry.ts";

/** What the plugins named `format-…` bring: their formats by name, and the endpoints that speak them. */
export type Formats = Pick<Kernel, "formats" | "endpoints">;

/** The wire formats that come with the product, for looking at a provider outside a running gateway. */
export async function builtInFormats(loader: ModuleLoader = moduleLoader()): Promise<Formats> {
  const names = loader.knownPlugins().filter((name) => name.startsWith("format-"));
  const loaded = await Promise.allSettled(names.map((name) => loader.plugin(name, process.cwd())));
  const plugins = loaded.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const { formats, endpoints, close } = await startKernel({
    plugins: plugins.flatMap(withDefaults),
    log: silentLogger,
    folder: process.cwd(),
    server: { host: "127.0.0.1", port: 0 },
    hookDeadline: 1_000,
    providers: () => noProviders,
  });
  await close();
  return { formats, endpoints };
}

/** One that cannot do without options is left out, like one that cannot be loaded. */
function withDefaults(plugin: Plugin) {
  const options = plugin.options.safeParse({});
  return options.success ? [{ name: plugin.name, plugin, options: options.data }] : [];
}

const noProviders: ProviderRegistry = {
  configured: () => undefined,
  all: () => [],
  mark: () => undefined,
  stores: false,
  knows: () => false,
  isVendor: () => false,
  forExchange: () => Promise.reject(new Error("There are no providers here.")),
  load: () => undefined,
  judge: () => Promise.reject(new Error("There are no providers here.")),
  fieldsOf: () => [],
  acceptsHost: () => false,
  mayForward: () => false,
};
