import {
  type BoundProvider,
  definePlugin,
  type Exchange,
  GatewayError,
  Organisations,
  type ProviderRegistry,
  type ProviderTerms,
  type Route,
  type RouteNote,
  Routing,
  type RoutingService,
  type SavedConfigFinder,
  Stage,
  slot,
  type Walk,
} from "../../core/index.ts";
import { withAllHidden } from "./config/hide-secrets.ts";
import type { Path } from "./config/problems.ts";
import { referencesIn } from "./config/references.ts";
import { asWritten } from "./config/spelling.ts";
import { vocabulary } from "./config/vocabulary.ts";
import { type Configs, openConfigs } from "./configs.ts";
import { refuseInNitroMode } from "./nitro.ts";
import { refuseSeveralTargets } from "./one-target.ts";
import { routingOptions } from "./options.ts";
import { providersMissing } from "./providers-missing.ts";
import { readWritten } from "./saved-config.ts";
import { refuseUnsaved, savedOnlyRule } from "./saved-only.ts";
import type { CompiledConfig } from "./walk/compile.ts";
import { patternsOf } from "./walk/patterns.ts";
import { providerOf } from "./walk/saved-provider.ts";
import { type Choice, selector } from "./walk/select-provider.ts";
import { one, single } from "./walk/single.ts";

export default definePlugin({
  name: "routing",
  summary: "Decides where a request goes: by its headers and its model, or by a routing config.",
  options: routingOptions,
  uses: [Organisations],
  provides: [Routing],
  setup({ hooks, providers, provide, offered, onReady }, options) {
    const { words, service, close } = vocabulary([single]);
    const reading = { limits: options, vocabulary: words, providers };
    let find: SavedConfigFinder | undefined;
    const offer = (plugin: string): RoutingService => ({
      ...service(plugin),
      saved(finder) {
        find = finder;
      },
      async named(exchange) {
        const savedOnly = await savedOnlyFor(exchange);
        if (savedOnly) refuseUnsaved(exchange);
        return (await configs?.of(exchange, savedOnly))?.named;
      },
      declared: options.configs,
      hidden: withAllHidden,
      async check(config, before) {
        const { root, problems } = await readWritten(config, before, reading);
        const named = root ? referencesIn(root) : [];
        const elsewhere = named.filter(({ kind, ref }) => kind !== "providers" || !providers.configured(ref));
        const placeOf = (path: Path) => asWritten(config, path).join(".");
        return {
          problems: problems.map(({ path, ...rest }) => ({ ...rest, path: placeOf(path) })),
          references: elsewhere.map((one) => ({ ...one, path: placeOf(one.path.split(".")) })),
        };
      },
    });
    provide(Routing, offer("routing"), offer);
    const rules = patternsOf(options.models);
    const rest = options.default === undefined ? [] : [options.default].flat();
    const savedOnlyFor = savedOnlyRule(options.blockInlineConfig, offered(Organisations));
    const selectors = {
      open: selector({ providers, rules, rest, savedOnly: false }),
      savedOnly: selector({ providers, rules, rest, savedOnly: true }),
    };
    let configs: Configs | undefined;
    onReady(async () => {
      close();
      const mistakes = providersMissing(options, providers);
      const { configs: declared, defaultConfig: defaultSlug } = options;
      const opened = await openConfigs({ ...reading, selectors, declared, defaultSlug, find }, mistakes);
      configs = opened;
      // Behind everybody else: strategies may lean on what their own plugins make ready.
      onReady(() => opened.compileDeclared(options.blockInlineConfig));
    });

    /** The one provider of a request without a config. */
    const plainRoute = (exchange: Exchange, savedOnly: boolean): Route | Promise<Route> | undefined => {
      const choose = savedOnly ? selectors.savedOnly : selectors.open;
      const { request } = exchange;
      if (request?.origin?.refusal) throw request.origin.refusal;
      const choice = choose.named(exchange) ?? choose.byModel(request?.model, exchange);
      if (!choice) return undefined;
      const terms = savedOnly ? withoutHeaderOptions : undefined;
      const { name, named, model = exchange.request?.model } = choice;
      const provider = providerOf(choice, () => providers.forExchange(name, exchange, named, terms, model));
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
      const route = () => (exchange.endpoint.firstTarget ? config.firstLeaf(walk) : config.route(walk));
      const loading = config.loading(walk);
      return loading ? loading.then(route) : route();
    };
    const terms = slot<Exchange, Terms>("routing terms");
    const inForce = (exchange: Exchange, savedOnly: boolean, config: CompiledConfig | undefined): void => {
      terms.set(exchange, new Terms(savedOnly, config));
      if (!config) return;
      if (config.inForce) exchange.config = config.inForce;
      exchange.routing = { config: config.id, mode: config.mode };
    };
    const readTerms = (exchange: Exchange, savedOnly: boolean): void | Promise<void> => {
      if (savedOnly) refuseUnsaved(exchange);
      const config = configs?.of(exchange, savedOnly);
      if (!(config instanceof Promise)) return inForce(exchange, savedOnly, config);
      return config.then((loaded) => inForce(exchange, savedOnly, loaded));
    };

    // Which config is in force is known to everybody who looks at the request before it is sent anywhere. What is there is
    // taken without waiting; what has to be loaded first is waited for.
    hooks.routeSelect.tapAsync({ name: "routing", stage: Stage.enrich }, (exchange, done) => {
      const savedOnly = savedOnlyFor(exchange);
      const read =
        savedOnly instanceof Promise
          ? savedOnly.then((only) => readTerms(exchange, only))
          : readTerms(exchange, savedOnly);
      if (read instanceof Promise) read.then(() => done(), done);
      else done();
    });
    hooks.routeSelect.tapAsync({ name: "routing", stage: Stage.route }, (exchange, done) => {
      const { savedOnly = false, config } = terms.get(exchange) ?? {};
      const route = config ? configRoute(config, exchange) : plainRoute(exchange, savedOnly);
      if (route instanceof Promise) route.then((found) => done(null, found), done);
      else done(null, route);
    });
  },
});

/** By what a request is routed. */
class Terms {
  readonly savedOnly: boolean;
  readonly config: CompiledConfig | undefined;

  constructor(savedOnly: boolean, config: CompiledConfig | undefined) {
    this.savedOnly = savedOnly;
    this.config = config;
  }
}

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

let walks = 0;

/** The walk of one request. It begins before the providers it may call are loaded. */
class RequestWalk implements Walk {
  readonly exchange: Exchange;
  readonly number = ++walks;
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

  note(path: string, message: string, more?: Pick<RouteNote, "known">): void {
    note(this.exchange, path, message, more);
  }
}

function note(exchange: Exchange, path: string, message: string, more?: Pick<RouteNote, "known">): void {
  exchange.routeNotes ??= [];
  exchange.routeNotes.push(more ? { path, message, ...more } : { path, message });
}
