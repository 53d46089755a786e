import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayConfig } from "./config/index.ts";
import { GatewayError } from "./errors/gateway-error.ts";
import { usedHooks, wantedBy } from "./hooks.ts";
import { addressRules } from "./http/upstream/address-rules.ts";
import { type ConnectionSettings, connectionsFor } from "./http/upstream/connections.ts";
import { useIdentityNetwork } from "./http/upstream/identity-network.ts";
import { outbound } from "./http/upstream/outbound.ts";
import { proxyChoice } from "./http/upstream/proxy-choice.ts";
import { trustIn } from "./http/upstream/trust.ts";
import { undiciTransport } from "./http/upstream/undici-transport.ts";
import { type Kernel, startKernel } from "./kernel.ts";
import type { Format } from "./model/format.ts";
import type { Logger } from "./model/logger.ts";
import type { LeavingTime } from "./model/socket.ts";
import { internalCall } from "./pipeline/internal-call.ts";
import { Leaving } from "./pipeline/leaving.ts";
import { ownRoad } from "./pipeline/own-road/index.ts";
import type { OwnRoad } from "./pipeline/own-road/own-road.ts";
import { namesUnder } from "./pipeline/reply/response-headers.ts";
import type { Road } from "./pipeline/road.ts";
import type { CommonOptions, ProviderDefinition } from "./provider-kit/provider-definition.ts";
import { providerRegistry } from "./provider-kit/registry.ts";
import { UnreadyProviders } from "./provider-kit/unready-providers.ts";
import { createApp } from "./server/app.ts";
import { clientAddresses } from "./server/client-address.ts";
import { type CrossOrigin, crossOrigin } from "./server/cross-origin.ts";
import { StoredProviders } from "./services/stored-providers.ts";
import { StartError } from "./start-failures.ts";

export interface GenerationInput {
  readonly config: GatewayConfig;
  readonly log: Logger;
  readonly version: string;
  readonly ready: () => boolean;
  /** Providers that come with the product, and how to load one. */
  readonly builtIn: ReadonlySet<string>;
  readonly loadProvider: (name: string) => Promise<ProviderDefinition>;
  /** What plugins hand on to the next generation; without it, to none. */
  readonly kept?: Map<string, unknown>;
}

/** Everything one reading of the config file brought about: hooks, plugins, endpoints, connections. */
export interface Generation {
  readonly kernel: Kernel;
  readonly road: Road;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Exchanges under way. */
  readonly active: number;
  /** Resolves once no exchange is under way. */
  idle(): Promise<void>;
  /** Tells clients that would stay for ever to go, and plugins to make way. */
  leave(when: LeavingTime): void;
  /** Closes once the last exchange has ended. */
  retire(): Promise<void>;
  /** Closes now. */
  close(): Promise<void>;
}

/** Builds a generation whole; what was opened is closed again when any part fails. */
export async function createGeneration(input: GenerationInput): Promise<Generation> {
  const { config, log } = input;
  const { server } = config;
  const rules = addressRules({ trustedHosts: server.trustedHosts, ownHosts: ownHosts(server.host, server.port) });
  const connections: ConnectionSettings = {
    connectTimeout: longestConnect(config),
    rules,
    trust: trustIn(server.trustedAuthorities),
    choose: server.proxy && proxyChoice(server.proxy),
  };
  const transport = undiciTransport({
    ...connections,
    connectionsPerHost: server.connectionsPerHost,
    idleTimeout: server.upstreamIdleTimeout,
  });
  const leaveNetwork = useIdentityNetwork(connections);
  const disconnect = () => Promise.all([transport.close(), leaveNetwork()]);
  let kernel: Kernel | undefined;
  let built: (Generation & { readonly own: OwnRoad }) | undefined;
  try {
    kernel = await startKernel({
      call: async (call) => {
        if (!built) throw new GatewayError("internal", "A plugin called a provider before the gateway was set up.");
        const provider = built.kernel.providers.configured(call.provider);
        if (provider) return internalCall(built.road, provider, call);
        throw new GatewayError("provider_unknown", `There is no provider "${call.provider}" in the config file.`);
      },
      own: lateRoad(() => built?.own),
      ask: outbound(transport, rules, log),
      plugins: config.plugins,
      changedAt: config.changedAt,
      ...(input.kept && { kept: input.kept }),
      log,
      folder: config.folder,
      server: { host: server.host, port: server.port, secure: server.tls !== undefined },
      hookDeadline: server.hookDeadline,
      providers: (formats, offered) =>
        providerRegistry({
          stored: offered(StoredProviders),
          configured: config.providers,
          formats,
          builtIn: input.builtIn,
          load: input.loadProvider,
          rules,
          log,
          headerPrefixes: [server.headers.prefix, ...server.headers.aliases],
        }),
    });
    built = await opened(input, kernel, { transport, connectionFor: connectionsFor(connections) }, disconnect);
    return built;
  } catch (error) {
    await kernel?.close();
    await disconnect();
    throw error instanceof StartError || error instanceof UnreadyProviders ? config.placed(error) : error;
  }
}

async function opened(
  input: GenerationInput,
  kernel: Kernel,
  ways: Pick<Road, "transport" | "connectionFor">,
  disconnect: () => Promise<unknown>,
): Promise<Generation & { readonly own: OwnRoad }> {
  const { config } = input;
  const road = roadOf(input, kernel, ways);
  let active = 0;
  const waiting: (() => void)[] = [];
  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      if (active === 0) resolve();
      else waiting.push(resolve);
    });
  const began = () => {
    active++;
  };
  const ended = () => {
    active--;
    if (active === 0) for (const resolve of waiting.splice(0)) resolve();
  };
  const crossing = crossOriginOf(config);
  const app = await createApp({
    road,
    endpoints: kernel.endpoints,
    aliases: kernel.aliases,
    clients: clientAddresses(config.server.trustedProxies),
    crossOrigin: crossing,
    health: { version: input.version, ready: input.ready, components: kernel.components },
    began,
    ended,
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await app.close();
      await kernel.close();
      await disconnect();
    })();
    return closing;
  };
  return {
    kernel,
    road,
    own: ownRoad({ road, endpoints: kernel.endpoints }, began, ended),
    handle: crossing
      ? (request, response) => {
          if (request.method !== "OPTIONS") crossing.allow(request, response);
          app.handle(request, response);
        }
      : app.handle,
    get active() {
      return active;
    },
    idle,
    leave(when) {
      kernel.leaving();
      road.leaving.tell(when);
    },
    async retire() {
      await idle();
      await close();
    },
    close,
  };
}

function crossOriginOf({ server: { cors, headers } }: GatewayConfig): CrossOrigin | undefined {
  if (cors.origins.length === 0) return undefined;
  const { traceId, cache, retries, lastUsed, provider } = namesUnder(headers.prefix);
  return crossOrigin({
    origins: cors.origins,
    methods: cors.methods,
    headers: cors.headers,
    exposedHeaders: cors.exposedHeaders ?? [traceId, cache, retries, lastUsed, provider],
  });
}

function roadOf(
  { config, log }: GenerationInput,
  kernel: Kernel,
  ways: Pick<Road, "transport" | "connectionFor">,
): Road {
  const { limits, clocks, headers, keepAliveComments, hookDeadline } = config.server;
  const { body, ...upstream } = clocks;
  return {
    hooks: kernel.hooks,
    used: usedHooks(kernel.hooks),
    decodes: wantedBy(kernel.hooks.afterRequest, ({ bytesWillDo }) => !bytesWillDo),
    readsUsage: wantedBy(kernel.hooks.cost, ({ withoutUsage }) => !withoutUsage),
    wants: {
      streamChunk: wantedBy(kernel.hooks.streamChunk),
      afterRequest: wantedBy(kernel.hooks.afterRequest),
      cost: wantedBy(kernel.hooks.cost),
    },
    formats: kernel.formats,
    postFormats: postFormats(kernel),
    acceptsHost: (url) => kernel.providers.acceptsHost(url),
    ...ways,
    leaving: new Leaving(),
    log,
    settings: {
      clocks: upstream,
      hookDeadline,
      jsonBodyBytes: limits.jsonBodyBytes,
      uploadBodyBytes: limits.uploadBodyBytes,
      upstreamBodyBytes: limits.upstreamBodyBytes || Number.MAX_SAFE_INTEGER,
      bodyTimeout: body,
      keepAliveComments,
      ignoredHeaders: config.server.headers.ignored,
      headerPrefixes: [headers.prefix, ...headers.aliases],
    },
  };
}

/** Plugins hold the road from the start, and use it once it is there. */
function lateRoad(found: () => OwnRoad | undefined): OwnRoad {
  const there = (): OwnRoad => {
    const road = found();
    if (!road) throw new GatewayError("internal", "A plugin sent a request before the gateway was set up.");
    return road;
  };
  return {
    send: async (request) => there().send(request),
    rehearse: async (request) => there().rehearse(request),
    account: async (work) => there().account(work),
  };
}

/** The formats of endpoints that are posted to, by path. */
function postFormats({ endpoints, formats }: Kernel): Road["postFormats"] {
  const found = new Map<string, Format>();
  for (const { method, path, operation, format, url } of endpoints) {
    const known = operation && formats.get(format ?? "");
    if (known && method === "POST" && !url) found.set(path, known);
  }
  return found;
}

/** The connect clock of an attempt ends it in time; this ends the connection, so no clock may be longer. */
const longestConnect = ({ server, providers }: GatewayConfig): number =>
  Math.max(
    server.clocks.connect || 10_000,
    ...providers.map(({ options }) => (options as Partial<CommonOptions> | undefined)?.clocks?.connect ?? 0),
  );

/** A caller's custom host that is the gateway itself would be a loop. */
const ownHosts = (host: string, port: number): string[] =>
  [...new Set([host, "localhost", "127.0.0.1", "::1"])].map((name) => `${name}:${port}`);
