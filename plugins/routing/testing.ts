import { orderByServices } from "../../core/config/services.ts";
import { addressRules } from "../../core/http/upstream/address-rules.ts";
import {
  definePlugin,
  type ErrorDetails,
  GatewayError,
  type LeafWrapper,
  type Outcome,
  type Plugin,
  type Principal,
  type Route,
  Routing,
  type Strategy,
  type Target,
  WalkWithAlternatives,
  z,
} from "../../core/index.ts";
import { startKernel } from "../../core/kernel.ts";
import { silentLogger } from "../../core/log.ts";
import { ExchangeState } from "../../core/pipeline/exchange-state.ts";
import { outcomeOf } from "../../core/pipeline/reply/outcome.ts";
import { wireRequest } from "../../core/pipeline/request/wire-request.ts";
import { defineProvider } from "../../core/provider-kit/index.ts";
import { providerRegistry } from "../../core/provider-kit/registry.ts";
import openAiChat from "../format-openai-chat/index.ts";
import plugin from "./index.ts";

/** A vendor with options of its own, one of which chooses the host. */
const acme = defineProvider({
  name: "acme",
  summary: "A vendor.",
  baseUrl: ({ tenant }) => `https://${tenant ?? "api"}.acme.example/v1`,
  options: z.strictObject({ project: z.string().exactOptional(), tenant: z.string().exactOptional() }),
  headerOptions: { project: "acme-project", tenant: "acme-tenant" },
  tenantOptions: ["tenant"],
  operations: { chat: { format: "openai-chat", path: "/chat/completions", exact: true } },
});
const vertex = defineProvider({
  name: "vertex-ai",
  summary: "Needs a region.",
  baseUrl: "https://vertex.example",
  options: z.strictObject({ region: z.string().exactOptional(), project: z.string().exactOptional() }),
  headerOptions: { region: "vertex-region", project: "vertex-project-id" },
  operations: { chat: { format: "openai-chat", path: "/", exact: true } },
});
export const builtIns = new Map([acme, vertex].map((one) => [one.name, one]));

/** A generator that goes on until a target is fine: enough of a fallback to see what a tree does. */
const fallback: Strategy = {
  mode: "fallback",
  schema: z.strictObject({ on_status_codes: z.array(z.number()).optional() }),
  compile: ({ on_status_codes }, children) =>
    function* (walk): Route {
      let last: Outcome | undefined;
      for (const child of children) {
        last = yield* child.route(new WalkWithAlternatives(walk));
        const codes = on_status_codes as number[] | undefined;
        if (codes ? !codes.includes(last.status) : last.ok) return last;
      }
      return last ?? outcomeOf(500);
    },
};
const named: Strategy = {
  mode: "conditional",
  schema: z.strictObject({ conditions: z.array(z.unknown()).optional(), default: z.string().optional() }),
  check: ({ default: name }, children) =>
    children.some((child) => child.name === name) ? [] : [{ path: "strategy.default", message: "names no target" }],
  compile: (options, children) =>
    function* (walk): Route {
      const found = children.find(({ node }) => node.name === (walk.exchange.metadata.pick ?? options.default));
      if (!found) throw new GatewayError("config_invalid", "no target of that name");
      return yield* found.route(walk);
    },
};

/** What other plugins add to the config object, as small as the tests here need it. */
const others = (wrap: LeafWrapper) =>
  definePlugin({
    name: "others",
    summary: "Fields and strategies of other plugins.",
    options: z.strictObject({}),
    needs: [Routing],
    setup({ service }) {
      const routing = service(Routing);
      routing.strategy(fallback);
      routing.strategy(named);
      routing.field({
        name: "retry",
        schema: z.strictObject({ attempts: z.int().min(0), on_status_codes: z.array(z.int()).optional() }),
        inherit: "nearest",
      });
      const cacheMode = z.enum(["simple", "semantic"]);
      routing.field({
        name: "cache",
        schema: z.union([cacheMode, z.strictObject({ mode: cacheMode, max_age: z.int().optional() })]),
        inherit: "nearest",
      });
      routing.field({ name: "cb_config", schema: z.strictObject({ cooldown_interval: z.int() }), inherit: "nearest" });
      routing.field({
        name: "output_guardrails",
        schema: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])),
        inherit: "nearest",
        opaque: true,
      });
      routing.leaf(wrap);
    },
  });

export interface StartInput {
  readonly options?: Readonly<Record<string, unknown>>;
  /** Providers of the file: options by slug; all of them are acme. */
  readonly providers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly withoutOthers?: boolean;
  /** Plugins that contribute to the config, in the order they are set up in. */
  readonly more?: readonly Plugin[];
  readonly wrap?: LeafWrapper;
  readonly trustedHosts?: readonly string[];
}

export interface AskInput {
  readonly config?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly principal?: Principal;
  readonly metadata?: Readonly<Record<string, string>>;
  /** What each target in turn answers; the last counts for all that follow. */
  readonly statuses?: readonly number[];
}

/** The plugin in a kernel, with providers that are never called. */
export async function startRouting(input: StartInput = {}) {
  const { providers = { a: {}, b: {} }, wrap = (target, _node, _walk, inner) => inner(target) } = input;
  const plugins = [plugin, openAiChat, ...(input.withoutOthers ? [] : [others(wrap)]), ...(input.more ?? [])];
  const resolved = plugins.map((one) => ({
    name: one.name,
    plugin: one,
    options: one.options.parse(one === plugin ? (input.options ?? {}) : {}),
  }));
  const kernel = await startKernel({
    plugins: orderByServices(resolved).ordered,
    log: silentLogger,
    folder: ".",
    server: { host: "127.0.0.1", port: 1 },
    hookDeadline: 1_000,
    providers: (formats) =>
      providerRegistry({
        configured: Object.entries(providers).map(([slug, options]) => ({
          slug,
          definition: acme,
          options: acme.options.parse({ apiKey: `key-of-${slug}`, baseUrl: `https://${slug}.example/v1`, ...options }),
        })),
        formats,
        builtIn: new Set(builtIns.keys()),
        load: async (name) => builtIns.get(name) ?? acme,
        rules: addressRules({ trustedHosts: input.trustedHosts ?? [], ownHosts: [] }),
        log: silentLogger,
        headerPrefixes: ["x-gateway-"],
      }),
  });
  const select = async (asked: AskInput) => {
    const exchange = exchangeFor(asked, kernel.formats.get("openai-chat"));
    const route = await kernel.hooks.routeSelect.promise(exchange);
    return { exchange, route };
  };
  return {
    select,
    /** The targets a request would be tried on, and the exchange. */
    async ask(asked: AskInput): Promise<{ targets: Target[]; exchange: ExchangeState }> {
      const { exchange, route } = await select(asked);
      const targets: Target[] = [];
      if (!route) return { targets, exchange };
      let step = (route as Iterator<Target, Outcome, unknown>).next();
      while (!step.done) {
        const target = step.value;
        targets.push(target);
        const status = asked.statuses?.[targets.length - 1] ?? asked.statuses?.at(-1) ?? 200;
        step = route.next(outcomeOf(target.refusal?.status ?? status));
      }
      return { targets, exchange };
    },
  };
}

function exchangeFor(input: AskInput, format: Parameters<typeof wireRequest>[1]): ExchangeState {
  const { config, headers = {}, body = { model: "m" }, principal = { id: "me" } } = input;
  const exchange = new ExchangeState({
    endpoint: {
      type: "chatComplete",
      method: "POST",
      path: "/v1/chat/completions",
      operation: "chat",
      format: "openai-chat",
    },
    method: "POST",
    url: "/v1/chat/completions",
    headers: {
      ...(config !== undefined && { "x-gateway-config": typeof config === "string" ? config : JSON.stringify(config) }),
      ...headers,
    },
    remoteAddress: undefined,
    headerPrefixes: ["x-gateway-"],
  });
  exchange.principal = principal;
  if (!exchange.nitro) exchange.request = wireRequest(Buffer.from(JSON.stringify(body)), format);
  if (input.metadata) exchange.metadata = input.metadata;
  return exchange;
}

/** What a promise is rejected with. */
export async function refusalOf(promise: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (error instanceof GatewayError) return error;
  throw new Error(`expected a refusal, not ${String(error)}`);
}

export const errorsOf = ({ details }: { details: ErrorDetails }): readonly string[] => details.errors ?? [];
