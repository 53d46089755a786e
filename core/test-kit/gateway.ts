import { join, resolve } from "node:path";
import { z } from "zod";
import { type ConfiguredPlugin, environmentOf, type GatewayConfig, parseConfig } from "../config/index.ts";
import { definePlugin } from "../define-plugin.ts";
import { startGateway as start } from "../gateway.ts";
import type { Generation } from "../generation.ts";
import { Stage } from "../hooks.ts";
import type { Exchange } from "../model/exchange.ts";
import { version } from "../version.ts";
import { Arrivals } from "./arrivals.ts";
import { type KeptLog, keepingLogger } from "./keeping-logger.ts";
import { type GivenLoader, type GivenModules, loaderWith } from "./loader-with.ts";
import { startUpstream, type TestUpstream, type UpstreamAnswers } from "./upstream.ts";

type Section = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;

/** The sections of a config file, as an object. */
export interface TestConfig {
  readonly server?: Readonly<Record<string, unknown>>;
  readonly plugins?: Section;
  readonly providers?: Section;
}

export interface TestGatewayInput<Upstream extends string = never> extends GivenModules {
  /** What would stand in the config file: its text, or the same as an object. References are to `variables` and `upstreams`. */
  readonly config: string | TestConfig;
  /** The environment; that of the process is not looked at. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What stands for the servers the gateway calls, by the name of the variable that holds its address. */
  readonly upstreams?: Readonly<Record<Upstream, UpstreamAnswers>>;
  /** What relative paths in the config are relative to; the working folder when absent. */
  readonly folder?: string;
}

/** As for `fetch`; with `json` it is a POST of that. */
export interface TestRequest extends RequestInit {
  readonly json?: unknown;
}

/** A gateway in this process, on a free port of the loopback address. */
export interface TestGateway<Upstream extends string = never> {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly upstreams: Readonly<Record<Upstream, TestUpstream>>;
  /** What plugins and the gateway wrote to the process log. */
  readonly log: KeptLog;
  /** What is over, in the order it ended: each as taps on `cost` have left it. */
  readonly exchanges: readonly Exchange[];
  /** Asks the gateway: `path` begins with a slash. */
  fetch(path: string, request?: TestRequest): Promise<Response>;
  /** Waits until nothing is under way, taps on `cost` included; gives all that is over. */
  settled(): Promise<readonly Exchange[]>;
  /** The first exchange that is over and matches: now, or when it comes. */
  exchange(matches?: (exchange: Exchange) => boolean): Promise<Exchange>;
  /** Reads the config anew, as a gateway does whose file was saved. Rejects when that cannot be used. */
  reload(config?: string | TestConfig): Promise<void>;
  /** Ends everything: the gateway, with what is under way, and then its upstreams. */
  close(): Promise<void>;
}

/** Starts a gateway for a test. Rejects as a start would fail, with every mistake in the config. */
export async function startGateway<Upstream extends string = never>(
  input: TestGatewayInput<Upstream>,
): Promise<TestGateway<Upstream>> {
  const exchanges = new Arrivals<Exchange>("exchange");
  const log = keepingLogger();
  const loader = loaderWith(input);
  const upstreams = await startUpstreams(input.upstreams);
  const closeUpstreams = () => {
    for (const upstream of Object.values<TestUpstream>(upstreams)) upstream.close();
  };
  let source = textOf(input.config);
  let failure: unknown;
  const read = () =>
    readingOf(input, source, { loader, upstreams, exchanges }).catch((error: unknown) => {
      failure = error;
      throw error;
    });
  const built = { log, version, read, builtIn: new Set(loader.knownProviders()) };
  const gateway = await start({ ...built, loadProvider: (name) => loader.provider(name, ".") }).catch(
    (error: unknown) => {
      closeUpstreams();
      throw error;
    },
  );
  const close = async () => {
    await gateway.shutdown(0, 0);
    exchanges.end();
    closeUpstreams();
  };
  const generations = new Set<Generation>([gateway.generation]);
  const url = `http://127.0.0.1:${gateway.port}`;
  return {
    url,
    upstreams,
    log,
    get exchanges() {
      return exchanges.all;
    },
    fetch: (path, request) => ask(url, path, request),
    async settled() {
      for (const generation of generations) await generation.idle();
      return exchanges.all;
    },
    exchange: (matches = () => true) => exchanges.first(matches),
    async reload(config) {
      if (config !== undefined) source = textOf(config);
      failure = undefined;
      const taken = await gateway.reload();
      generations.add(gateway.generation);
      if (!taken) throw failure ?? new Error(log.lines.at(-1)?.message);
    },
    close,
  };
}

interface Surroundings {
  readonly loader: GivenLoader;
  readonly upstreams: Readonly<Record<string, TestUpstream>>;
  readonly exchanges: Arrivals<Exchange>;
}

/** The config, on a loopback address, with one who sees what is over. */
async function readingOf(
  { variables, folder = "." }: TestGatewayInput<string>,
  source: string,
  { loader, upstreams, exchanges }: Surroundings,
): Promise<GatewayConfig> {
  const addresses = Object.entries(upstreams).map(([name, { url }]) => [name, url]);
  const environment = environmentOf({ ...variables, ...Object.fromEntries(addresses) });
  const config = await parseConfig(source, join(resolve(folder), "test.yaml"), loader, environment);
  const unnamed = loader.unnamed();
  if (unnamed.length > 0)
    throw new Error(`Given, but not named in the config: ${unnamed.join(", ")}. Add it to the section it belongs to.`);
  const server = { ...config.server, host: "127.0.0.1", port: 0, tls: undefined };
  return { ...config, server, plugins: [...config.plugins, witness(exchanges)] };
}

const textOf = (config: string | TestConfig): string =>
  typeof config === "string" ? config : JSON.stringify(config, undefined, 2);

async function startUpstreams<Name extends string>(
  wanted: Readonly<Record<Name, UpstreamAnswers>> | undefined,
): Promise<Record<Name, TestUpstream>> {
  const names = Object.keys(wanted ?? {}) as Name[];
  const started = names.map(async (name) => [name, await startUpstream(wanted?.[name] ?? [])] as const);
  return Object.fromEntries(await Promise.all(started)) as Record<Name, TestUpstream>;
}

/** Stands last among those that record, so that what it sees is what became of an exchange. */
function witness(exchanges: Arrivals<Exchange>): ConfiguredPlugin {
  const name = "test-kit";
  const plugin = definePlugin({
    name,
    summary: "Keeps what is over, for tests.",
    options: z.strictObject({}),
    setup({ hooks }) {
      hooks.cost.tap({ name, stage: Stage.record }, (exchange) => exchanges.add(exchange));
    },
  });
  return { name, plugin, options: {} };
}

function ask(url: string, path: string, { json, headers, ...request }: TestRequest = {}): Promise<Response> {
  if (!path.startsWith("/")) throw new Error(`"${path}" is not a path of the gateway: it has to begin with a slash.`);
  if (json === undefined) return fetch(url + path, { ...request, ...(headers && { headers }) });
  const all = new Headers(headers);
  if (!all.has("content-type")) all.set("content-type", "application/json");
  return fetch(url + path, { method: "POST", ...request, headers: all, body: JSON.stringify(json) });
}
