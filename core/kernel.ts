import { attributeFailures } from "./attribute-failures.ts";
import { checkedFormat } from "./checked-format.ts";
import { endpointOf, Places } from "./endpoint-of.ts";
import { GatewayError } from "./errors/gateway-error.ts";
import { createHooks, type Hooks } from "./hooks.ts";
import { listenOnly } from "./listen-only.ts";
import type { Alias, Endpoint } from "./model/endpoint.ts";
import type { Format } from "./model/format.ts";
import type { Plugin, PluginContext } from "./plugin.ts";
import type { ProviderRegistry } from "./provider-kit/registry.ts";
import type { ServiceToken } from "./service-token.ts";
import { makeReady, type ResolvedPlugin, type StartInput, setUpAll, type Waiting } from "./start-plugins.ts";
import { type Closer, closeAll, closedWithin, type Told, tellAll } from "./told-plugins.ts";

export type { ResolvedPlugin };

export interface KernelInput extends StartInput {
  readonly folder: string;
  readonly server: { readonly host: string; readonly port: number; readonly secure?: boolean };
  /** When what stands at a path of the config file came to be so, Unix milliseconds; just now unless said otherwise. */
  readonly changedAt?: (path: readonly string[]) => number;
  /** How plugins ask providers something; usable once the kernel is there. */
  readonly call?: PluginContext["call"];
  /** How they send requests along the road. */
  readonly own?: PluginContext["own"];
  /** What plugins hand on from generation to generation, by plugin and name. */
  readonly kept?: Map<string, unknown>;
  /** How plugins ask other hosts something. */
  readonly ask?: PluginContext["ask"];
  /** Made once all formats are known; plugins may use it from their taps on. */
  readonly providers: (formats: ReadonlyMap<string, Format>, offered: Kernel["offered"]) => ProviderRegistry;
}

/** What the plugins made together. Frozen: nothing joins in after the start. */
export interface Kernel {
  readonly hooks: Hooks;
  readonly formats: ReadonlyMap<string, Format>;
  readonly endpoints: readonly Endpoint[];
  /** Beginnings of paths that stand for others. */
  readonly aliases: readonly Alias[];
  readonly providers: ProviderRegistry;
  /** What some plugin provides under this name, for commands. */
  offered<Service>(token: ServiceToken<Service>): Service | undefined;
  /** Tells the plugins that they are in use now. */
  serving(gateway: { readonly url: string }): void;
  /** Tells them that they are not any more, or not for long. Once, however often it is said. */
  leaving(): void;
  /** Closes what plugins opened, last first. Every closer is called, whatever the others do. */
  close(): Promise<void>;
  /** How long closing may take, in milliseconds. */
  closesWithin(): number;
  /** Services that lean on something outside, by name, and whether that is in reach. */
  components(): readonly Component[];
}

export interface Component {
  readonly name: string;
  readonly status: "ok" | "degraded";
}

/** Of a kernel that stands alone, as in `sluice explain` and in tests: nobody is called. */
const noCalls = () => Promise.reject(new GatewayError("upstream_unreachable", "Nobody is called from here."));

const noRoad: PluginContext["own"] = { send: noCalls, rehearse: noCalls, account: noCalls };

const noAsking: PluginContext["ask"] = () =>
  Promise.reject(new GatewayError("upstream_unreachable", "Nobody is asked from here."));

type ServiceOf<Token> = Token extends ServiceToken<infer Service> ? Service : never;

/** Sets the plugins up in order. If one fails, what was opened is closed again and the failure says which it was. */
export async function startKernel(input: KernelInput): Promise<Kernel> {
  const hooks = createHooks();
  attributeFailures(hooks, input.hookDeadline, (error, { id }) =>
    input.log.error("cost hook failed", { request: id, error }),
  );
  const formats = new Map<string, Format>();
  const endpoints: Endpoint[] = [];
  const places = new Places();
  const services = new Map<string, unknown>();
  const views = new Map<string, (plugin: string) => unknown>();
  const closers: Closer[] = [];
  const listeners: Told<Parameters<PluginContext["onServing"]>[0]>[] = [];
  const leavers: Told<Parameters<PluginContext["onLeaving"]>[0]>[] = [];
  const waiting: Waiting[] = [];
  const kept = input.kept ?? new Map<string, unknown>();
  const offered: Kernel["offered"] = (token) => services.get(token.name) as ServiceOf<typeof token> | undefined;
  let providers: ProviderRegistry | undefined;
  const server = Object.freeze({ ...input.server });
  let open = true;

  const contextFor = ({ name, plugin }: ResolvedPlugin): PluginContext => {
    const check = (what: string) => {
      if (!open) throw new GatewayError("plugin_failed", `[plugin ${name}] ${what} after the start.`, { plugin: name });
    };
    return {
      name,
      hooks: listenOnly(hooks, name, check),
      formats,
      endpoints,
      log: input.log,
      folder: input.folder,
      server,
      changedAt: (...path) => input.changedAt?.(["plugins", name, ...path]) ?? Date.now(),
      get providers() {
        return lateRegistry(() => providers);
      },
      service: (token) => serviceOf({ services, views }, plugin, name, token),
      offered(token) {
        if (!plugin.uses?.some((one) => one.name === token.name))
          throw new Error(`asks for the service "${token.name}" without naming it in uses`);
        return (views.get(token.name)?.(name) ?? services.get(token.name)) as ServiceOf<typeof token> | undefined;
      },
      provide(token, service, seenBy) {
        check("provided a service");
        if (!plugin.provides?.some((one) => one.name === token.name))
          throw new Error(`provides "${token.name}" without naming it in its definition`);
        services.set(token.name, service);
        if (seenBy) views.set(token.name, seenBy);
      },
      kept(token, make) {
        const known = `${name}/${token.name}`;
        if (!kept.has(known)) kept.set(known, make());
        return kept.get(known) as ServiceOf<typeof token>;
      },
      call: input.call ?? noCalls,
      own: input.own ?? noRoad,
      ask: input.ask ?? noAsking,
      format(format) {
        check("added a format");
        if (formats.has(format.name)) throw new Error(`the format "${format.name}" is there already`);
        formats.set(format.name, checkedFormat(format));
      },
      endpoint(endpoint) {
        check("added an endpoint");
        const { owner = name } = endpoint;
        endpoints.push(places.added(endpointOf(endpoint, owner), owner));
      },
      get aliases() {
        return places.aliases;
      },
      alias(prefix, meant, terms = {}) {
        check("added an alias");
        places.alias(prefix, meant, terms, name);
      },
      onReady: (ready) => {
        waiting.push({ name, ready });
      },
      onServing: (listener) => {
        listeners.push({ plugin: name, listener });
      },
      onLeaving: (listener) => {
        leavers.push({ plugin: name, listener });
      },
      onClose: (listener, longest) => {
        closers.push({ plugin: name, listener, longest });
      },
    };
  };

  try {
    await setUpAll(input, contextFor);
    providers = input.providers(formats, offered);
    places.check(formats);
    await makeReady(input, waiting);
  } catch (error) {
    await closeAll(closers, input.hookDeadline, input.log);
    throw error;
  }
  open = false;
  return Object.freeze({
    hooks,
    formats,
    endpoints,
    aliases: places.aliases,
    providers,
    offered,
    serving: (gateway) =>
      tellAll(
        listeners.map(({ plugin, listener }) => ({ plugin, listener: () => listener(gateway) })),
        "a plugin failed when the gateway began to serve",
        input.log,
      ),
    leaving: () => tellAll(leavers.splice(0), "a plugin failed when it was to make way", input.log),
    components: () =>
      [...services].flatMap(([name, service]) =>
        leans(service) ? { name, status: service.available === false ? "degraded" : "ok" } : [],
      ),
    close: () => closeAll(closers, input.hookDeadline, input.log),
    closesWithin: () => closedWithin(closers, input.hookDeadline),
  } satisfies Kernel);
}

/** A service that leans on something outside says so with `available`. */
const leans = (service: unknown): service is { readonly available: unknown } =>
  typeof service === "object" && service !== null && "available" in service;

interface Offers {
  readonly services: ReadonlyMap<string, unknown>;
  /** Of services that look different to each plugin that asks. */
  readonly views: ReadonlyMap<string, (plugin: string) => unknown>;
}

function serviceOf<Service>(
  { services, views }: Offers,
  plugin: Plugin,
  name: string,
  token: ServiceToken<Service>,
): Service {
  const named = [...(plugin.needs ?? []), ...(plugin.provides ?? [])].some((one) => one.name === token.name);
  if (!named) throw new Error(`asks for the service "${token.name}" without naming it in needs`);
  const service = services.get(token.name);
  if (service === undefined) throw new Error(`the service "${token.name}" is missing (asked for by ${name})`);
  return (views.get(token.name)?.(name) ?? service) as Service;
}

/** Providers exist once all formats do: a plugin may hold the registry from the start, and use it from its taps on. */
function lateRegistry(found: () => ProviderRegistry | undefined): ProviderRegistry {
  const registry = (): ProviderRegistry => {
    const providers = found();
    if (!providers) throw new Error("asks for a provider while plugins are still being set up");
    return providers;
  };
  return {
    configured: (slug) => registry().configured(slug),
    all: () => registry().all(),
    mark: (slug, exchange) => registry().mark(slug, exchange),
    get stores() {
      return registry().stores;
    },
    knows: (name) => registry().knows(name),
    isVendor: (name) => registry().isVendor(name),
    forExchange: (name, exchange, callerCredential, terms, model) =>
      registry().forExchange(name, exchange, callerCredential, terms, model),
    load: (name, exchange) => registry().load(name, exchange),
    judge: (vendor, settings, later) => registry().judge(vendor, settings, later),
    fieldsOf: (name) => registry().fieldsOf(name),
    acceptsHost: (url, saved) => registry().acceptsHost(url, saved),
    mayForward: (header) => registry().mayForward(header),
  };
}
