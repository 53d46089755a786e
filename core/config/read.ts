import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { type Environment, processEnvironment } from "../environment.ts";
import type { UnreadyProviders } from "../provider-kit/unready-providers.ts";
import type { StartError } from "../start-failures.ts";
import { readAuthorities } from "./authorities.ts";
import { readTls } from "./certificates.ts";
import { changedAt } from "./changed-at.ts";
import { type ConfigDocument, readDocument } from "./document.ts";
import {
  type ConfiguredPlugin,
  type ConfiguredProvider,
  type Entry,
  pluginSection,
  providerSection,
  readEntries,
} from "./entries.ts";
import { ConfigError, dotted, type Path } from "./mistakes.ts";
import { type ModuleLoader, moduleLoader } from "./modules.ts";
import { placedIn } from "./plugin-mistakes.ts";
import { readProxies } from "./proxies.ts";
import { type ServerSettings, serverSchema } from "./server-settings.ts";
import { missingServices, orderByServices } from "./services.ts";
import { trustedHost, trustedHostsOf } from "./trusted-hosts.ts";
import { validate } from "./validate.ts";

/** One config file, checked: every module loaded, every option read, every default filled in. */
export interface GatewayConfig {
  /** As it was asked for. */
  readonly file: string;
  /** What relative paths in the file are relative to. */
  readonly folder: string;
  readonly server: ServerSettings;
  /** In the order to set them up: a service before who needs it, and beyond that as in the file. */
  readonly plugins: readonly ConfiguredPlugin[];
  readonly providers: readonly ConfiguredProvider[];
  /** Worth a line in the log, not worth refusing to start. */
  readonly warnings: readonly string[];
  /**
   * When what stands at a path came to be so, Unix milliseconds: since when the file is as it is; where variables are referred to
   * in it, or there is no file, when it was read.
   */
  changedAt(path: Path): number;
  /** What plugins found in their options at the start, and what is wrong with providers, as mistakes of the file. */
  placed(error: StartError | UnreadyProviders): ConfigError;
}

/** Reads the config file. Throws a ConfigError that holds every mistake in it. */
export async function readConfig(
  file: string,
  loader: ModuleLoader = moduleLoader(),
  environment: Environment = processEnvironment(),
): Promise<GatewayConfig> {
  // Before it is read: what is written meanwhile is another change, which is read anew.
  const since = changedAt(file);
  return parseConfig(readSource(file), file, loader, environment, since);
}

/** The text of a config file. That there is none, or none to be read, is a mistake like any other. */
export function readSource(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
    const message = code === "ENOENT" ? "file not found" : `the file cannot be read (${code})`;
    throw new ConfigError([{ file, line: 1, column: 1, path: "", message, cause }]);
  }
}

const sections = z.strictObject({
  $schema: z.unknown().optional(),
  server: z.unknown().optional(),
  plugins: z.unknown().optional(),
  providers: z.unknown().optional(),
});

/** The same for a text that is not, or not yet, in a file of that name; `since` is when it came to be, if not just now. */
export async function parseConfig(
  source: string,
  file: string,
  loader: ModuleLoader,
  environment: Environment,
  since?: number,
): Promise<GatewayConfig> {
  const folder = dirname(resolve(file));
  const readAt = Date.now();
  const document = readDocument(file, source, environment);
  const { report } = document;
  const root = document.root ?? {};
  if (document.root === null) report.add([], 0, 'the file is empty; it needs the sections "plugins" and "providers"');
  await validate({ schema: sections, value: root, path: [], keyName: "section" }, document);
  const part = (key: string) => (Object.hasOwn(root, key) ? (root as Record<string, unknown>)[key] : undefined) ?? {};
  const [server, plugins, providers] = await Promise.all([
    readServer(part("server"), document, folder, environment),
    readEntries(pluginSection(loader, folder), part("plugins"), document),
    readEntries(providerSection(loader, folder), part("providers"), document),
  ]);
  reportTwice(plugins.entries, document);
  if (plugins.complete) await reportMissingServices(plugins.entries, loader, folder, document);
  const { ordered, problems } = orderByServices(plugins.entries.map(named));
  for (const { name, message } of problems)
    report.add(["plugins", name], document.place(["plugins", name]).keyAt, message);
  report.settle();
  return {
    file,
    folder,
    server: server.settings,
    plugins: ordered,
    providers: providers.entries.map(({ name, module, options }) => ({
      slug: name,
      definition: module,
      options: options?.value,
    })),
    warnings: [...document.shellLike.map(asItStands), ...server.warnings],
    // A clock that was ahead when the file was written makes it no newer than it can be; ours tells whole milliseconds, those of files parts.
    changedAt: (path) => (since === undefined || document.hasReferences(path) ? readAt : Math.min(since, readAt + 1)),
    placed: (error) => placedIn(document, error),
  };
}

/** Not repeated: it may be a secret after all. */
const asItStands = (path: Path): string =>
  `${dotted(path)} is a text as it stands, "$" and all: the value of a variable NAME is written \${NAME}`;

type PluginEntry = Entry<ConfiguredPlugin["plugin"]>;

const named = ({ name, module, options }: PluginEntry): ConfiguredPlugin => ({
  name,
  plugin: module,
  options: options?.value,
});

async function readServer(value: unknown, document: ConfigDocument, folder: string, environment: Environment) {
  const read = await validate({ schema: serverSchema, value, path: ["server"] }, document);
  const {
    workers,
    trustedHosts: listed,
    proxy,
    trustedAuthorities,
    tls,
    ...rest
  } = read?.value ?? serverSchema.parse({});
  const { hosts, warnings } = listed ? hostsOf(listed, document) : trustedHostsOf(environment);
  const proxies = readProxies(proxy, document, environment);
  const own = readTls(tls, document, folder);
  const settings: ServerSettings = {
    ...rest,
    workers: workers === "auto" ? availableParallelism() : workers,
    trustedHosts: hosts,
    tls: own.settings,
    proxy: proxies.settings,
    trustedAuthorities: readAuthorities(trustedAuthorities, document, folder, environment),
  };
  return { settings, warnings: [...warnings, ...proxies.warnings, ...own.warnings] };
}

/**
 * In the file, unlike in the variable, an entry that cannot be used is a mistake: it has a line to point at. One that changes nothing
 * is left out with a warning in both.
 */
function hostsOf(listed: readonly string[], document: ConfigDocument): ReturnType<typeof trustedHostsOf> {
  const hosts: string[] = [];
  const warnings: string[] = [];
  for (const [index, entry] of listed.entries()) {
    const read = trustedHost(entry);
    const path = ["server", "trustedHosts", index];
    if ("host" in read) hosts.push(read.host);
    else if (read.idle) warnings.push(`server.trustedHosts[${index}] is left out: ${read.problem}`);
    else document.report.add(path, document.place(path).valueAt, read.problem);
  }
  return { hosts, warnings };
}

function reportTwice(entries: readonly PluginEntry[], document: ConfigDocument): void {
  const first = new Map<unknown, string>();
  for (const { name, module } of entries) {
    const path = ["plugins", name];
    const other = first.get(module);
    if (other === undefined) first.set(module, name);
    else document.report.add(path, document.place(path).keyAt, `is the same plugin as "${other}"; keep one of them`);
  }
}

async function reportMissingServices(
  entries: readonly PluginEntry[],
  loader: ModuleLoader,
  folder: string,
  document: ConfigDocument,
): Promise<void> {
  for (const { name, service } of missingServices(entries.map(named))) {
    const path = ["plugins", name];
    const providing = await pluginsProviding(service, loader, folder);
    const remedy = providing.length > 0 ? `; add ${providing.join(" or ")}` : "";
    const message = `needs the service "${service}", which no plugin in the file provides${remedy}`;
    document.report.add(path, document.place(path).keyAt, message);
  }
}

/** Looks through all built-in plugins: slow, and only done when the start has failed anyway. */
async function pluginsProviding(service: string, loader: ModuleLoader, folder: string): Promise<string[]> {
  const known = loader.knownPlugins();
  const loaded = await Promise.allSettled(known.map((name) => loader.plugin(name, folder)));
  return known.filter((_, index) => {
    const result = loaded[index];
    return result?.status === "fulfilled" && result.value.provides?.some(({ name }) => name === service);
  });
}
