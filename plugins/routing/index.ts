import {
  type BoundProvider,
  definePlugin,
  type Exchange,
  GatewayError,
  type ProviderRegistry,
  type ProviderTerms,
  type Route,
  Routing,
  type Walk,
} from "../../core/index.ts";
import { vocabulary } from "./config/vocabulary.ts";
import { type Configs, openConfigs } from "./configs.ts";
import { refuseInNitroMode } from "./nitro.ts";
import { refuseSeveralTargets } from "./one-target.ts";
import { routingOptions } from "./options.ts";
import { refuseUnsaved } from "./saved-only.ts";
import type { CompiledConfig } from "./walk/compile.ts";
import { patternsOf } from "./walk/patterns.ts";
import { type Choice, selector } from "./walk/select-provider.ts";
import { one, single } from "./walk/single.ts";

export default definePlugin({
  name: "routing",
  summary: "Decides where a request goes: by its headers and its model, or by a routing config.",
  options: routingOptions,
  provides: [Routing],
  setup({ hooks, providers, provide, onReady }, options) {
    const { words, service, close } = vocabulary([single]);
    provide(Routing, service);
    const rules = patternsOf(options.models);
    const rest = options.default === undefined ? [] : [options.default].flat();
    const savedOnly = options.blockInlineConfig;
    const choose = selector({ providers, rules, rest, savedOnly });
    let configs: Configs | undefined;
    onReady(async () => {
      close();
      const named = [...rules.flatMap((rule) => rule.providers), ...rest];
      const missing = named.find((name) => !providers.configured(name));
      if (missing !== undefined)
        throw new Error(`names the provider "${missing}", which the config file does not have`);
      configs = await openConfigs({
        saved: options.configs,
        defaultSlug: options.defaultConfig,
        limits: options,
        savedOnly,
        vocabulary: words,
        providers,
        selector: choose,
      });
    });

    /** The one provider of a request without a config. */
    const plainRoute = (exchange: Exchange): Route | Promise<Route> | undefined => {
      const choice = choose.named(exchange) ?? choose.byModel(exchange.request?.model, exchange);
      if (!choice) return undefined;
      const terms = savedOnly ? withoutHeaderOptions : undefined;
      const provider = providers.forExchange(choice.name, exchange, choice.named, terms);
      return provider instanceof Promise
        ? provider.then((loaded) => routeTo(loaded, choice, exchange))
        : routeTo(provider, choice, exchange);
    };
    const configRoute = (config: CompiledConfig, exchange: Exchange): Route | Promise<Route> => {
      refuseInNitroMode(config, exchange);
      refuseSeveralTargets(config, exchange);
      refuseHost(exchange, providers);
      if (config.severalCalls) exchange.keepsBody = true;
      const walk = new RequestWalk(config, exchange);
      const loading = config.loading(walk);
      return loading ? loading.then(() => config.route(walk)) : config.route(walk);
    };

    // Providers that are there are taken without waiting; one that has to be loaded first is waited for.
    const waiting = new WeakMap<Exchange, Promise<Route>>();
    hooks.routeSelect.tap("routing", (exchange) => {
      if (savedOnly) refuseUnsaved(exchange);
      const config = configs?.of(exchange);
      const route = config ? configRoute(config, exchange) : plainRoute(exchange);
      if (!(route instanceof Promise)) return route;
      waiting.set(exchange, route);
      return undefined;
    });
    hooks.routeSelect.tapPromise("routing", async (exchange) => waiting.get(exchange));
  },
});

/** For requests without a config, where callers may set nothing about providers. */
const withoutHeaderOptions: ProviderTerms = { trusted: true, named: false, headerOptions: false };

function routeTo(provider: BoundProvider, { model, why }: Choice, exchange: Exchange): Route {
  note(exchange, "config", `provider ${provider.slug}, ${why}`);
  return one({ path: "config", provider, ...(model !== undefined && { model }) });
}

/** A host in a header is meant for every target: when it may not be called, none is. */
function refuseHost({ gatewayHeaders }: Exchange, { acceptsHost }: ProviderRegistry): void {
  const host = gatewayHeaders.get("custom-host");
  if (host !== undefined && !acceptsHost(host)) throw new GatewayError("custom_host_invalid", "Invalid custom host");
}

/** The walk of one request. */
class RequestWalk implements Walk {
  readonly exchange: Exchange;
  readonly config: string;
  readonly alternatives = false;

  constructor({ id }: CompiledConfig, exchange: Exchange) {
    this.exchange = exchange;
    this.config = id;
  }

  random(): number {
    return Math.random();
  }

  now(): number {
    return Date.now();
  }

  note(path: string, message: string): void {
    note(this.exchange, path, message);
  }
}

function note(exchange: Exchange, path: string, message: string): void {
  exchange.routeNotes ??= [];
  exchange.routeNotes.push({ path, message });
}
