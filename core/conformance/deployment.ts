import { z } from "zod";
import { type ModuleLoader, parseConfig } from "../config/index.ts";
import { definePlugin } from "../define-plugin.ts";
import { createGeneration } from "../generation.ts";
import { silentLogger } from "../log.ts";
import type { Endpoint } from "../model/endpoint.ts";
import type { Format } from "../model/format.ts";
import type { Headers } from "../model/headers.ts";
import type { BoundProvider } from "../model/provider.ts";
import type { Route, Target } from "../model/route.ts";
import type { Usage } from "../model/usage.ts";
import type { Plugin } from "../plugin.ts";
import type { ProviderDefinition } from "../provider-kit/provider-definition.ts";
import { listen } from "../server/listener.ts";
import { version } from "../version.ts";

/** A gateway in this process with one provider, and what the runner has to know of it. */
export interface Deployment {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly provider: BoundProvider;
  /** Headers that are made for each call, lower case: a signature, or a token that was fetched. Known once there was a call. */
  readonly shownIn: ReadonlySet<string>;
  readonly formats: ReadonlyMap<string, Format>;
  readonly endpoints: readonly Endpoint[];
  /** What the gateway will have recorded of the next exchange that ends. */
  nextRecord(): Promise<Usage | undefined>;
  close(): Promise<void>;
}

export interface DeploymentInput {
  readonly definition: ProviderDefinition;
  /** As the provider's schema gave them back. */
  readonly options: unknown;
  /** Plugins that bring formats. */
  readonly plugins: readonly Plugin[];
  readonly loader: ModuleLoader;
}

const slug = "checked";

/** Starts it on a free port of the loopback address. */
export async function deploy({ definition, options, plugins, loader }: DeploymentInput): Promise<Deployment> {
  const blank = await parseConfig(
    "plugins: {}\nproviders: {}\n",
    `${process.cwd()}/conformance.yaml`,
    loader,
    nothingSet,
  );
  const records = new Records();
  const shownIn = new Set<string>();
  const generation = await createGeneration({
    config: {
      ...blank,
      plugins: [...plugins.flatMap(withDefaults), { name: "conformance", plugin: harness(records), options: {} }],
      providers: [{ slug, definition: noting(definition, shownIn), options }],
    },
    log: silentLogger,
    version,
    ready: () => true,
    builtIn: new Set(),
    loadProvider: () => Promise.reject(new Error("There is one provider here.")),
  });
  const provider = generation.kernel.providers.configured(slug);
  if (!provider) throw new Error(`The provider ${definition.name} cannot be set up.`);
  const listener = await listen(
    {
      host: "127.0.0.1",
      port: 0,
      headerBytes: 16_384,
      keepAliveTimeout: 1_000,
      headersTimeout: 10_000,
      log: silentLogger,
    },
    (request, response) => generation.handle(request, response),
  );
  return {
    url: `http://127.0.0.1:${listener.port}`,
    provider,
    shownIn,
    formats: generation.kernel.formats,
    endpoints: generation.kernel.endpoints,
    nextRecord: () => records.next(),
    async close() {
      listener.stopAccepting();
      listener.destroy();
      await listener.closed;
      await generation.close();
    },
  };
}

/** A provider that notes which headers it makes for each call. */
function noting(definition: ProviderDefinition, names: Set<string>): ProviderDefinition {
  const { sign, authenticate } = definition;
  const noted = <Made extends Headers>(headers: Made): Made => {
    for (const name of Object.keys(headers ?? {})) names.add(name.toLowerCase());
    return headers;
  };
  return {
    ...definition,
    ...(sign && {
      sign: (call, options) => {
        const made = sign(call, options);
        return made instanceof Promise ? made.then(noted) : noted(made);
      },
    }),
    ...(authenticate && {
      authenticate: (options) => {
        const credential = authenticate(options);
        return typeof credential === "function" ? async () => noted(await credential()) : credential;
      },
    }),
  };
}

const nothingSet = { value: () => undefined, isSet: () => false };

function withDefaults(plugin: Plugin) {
  const options = plugin.options.safeParse({});
  return options.success ? [{ name: plugin.name, plugin, options: options.data }] : [];
}

/** Hands what was recorded of an exchange to whoever waits for it. */
class Records {
  #waiting: ((usage: Usage | undefined) => void) | undefined;

  add(usage: Usage | undefined): void {
    this.#waiting?.(usage);
    this.#waiting = undefined;
  }

  next(): Promise<Usage | undefined> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }
}

/** Everybody may ask, everything goes to the one provider, and what it used is kept. */
const harness = (records: Records): Plugin =>
  definePlugin({
    name: "conformance",
    summary: "Sends every request to the provider under test.",
    options: z.strictObject({}),
    setup({ hooks, providers }) {
      hooks.auth.tap("conformance", () => ({ id: "conformance", credentialHeaders: ["authorization", "x-api-key"] }));
      hooks.routeSelect.tap("conformance", () => {
        const provider = providers.configured(slug);
        return provider && routeTo({ path: "config", provider });
      });
      hooks.cost.tap("conformance", ({ usage }) => records.add(usage));
    },
  });

function* routeTo(target: Target): Route {
  return yield target;
}
