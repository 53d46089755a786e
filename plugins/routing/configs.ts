import {
  type Exchange,
  GatewayError,
  type Principal,
  type SavedConfig,
  type SavedConfigFinder,
} from "../../core/index.ts";
import { recentlyUsed } from "./inline-cache.ts";
import { invalidConfig, readInline } from "./inline-config.ts";
import { type CompileInput, type ReadyConfig, readSaved, readyConfig } from "./saved-config.ts";
import type { CompiledConfig } from "./walk/compile.ts";

export interface ConfigsInput extends CompileInput {
  /** Of the file, by slug. */
  readonly declared: Readonly<Record<string, unknown>>;
  readonly defaultSlug: string | undefined;
  /** Who keeps others; absent where nobody does. */
  readonly find?: SavedConfigFinder | undefined;
}

/** Where the config of a request comes from (routing-config.md section 1.1). */
export interface Configs {
  /** A promise only for a config that has to be read from a store first. */
  of(exchange: Exchange, savedOnly: boolean): CompiledConfig | undefined | Promise<CompiledConfig>;
  /** Compiles those of the file, as the start does: what cannot be compiled then could never be walked. */
  compileDeclared(savedOnly: boolean): void;
}

/** Inline configs that are kept compiled. */
const mostInline = 500;

/** Reads the configs of the file; every mistake in any of them stops the start. */
export async function openConfigs(input: ConfigsInput): Promise<Configs> {
  const declared = await readDeclared(input);
  const { defaultSlug } = input;
  if (defaultSlug !== undefined && !declared.has(defaultSlug))
    throw new Error(`defaultConfig names "${defaultSlug}", which is not among the configs`);
  const inline = recentlyUsed<ReadyConfig>(mostInline);
  const kept = keptConfigs(input);
  const named = (ref: string, { principal }: Exchange, savedOnly: boolean) => {
    const found = declared.get(ref) ?? (principal && kept(principal, ref));
    if (found instanceof Promise) return found.then((ready) => (ready ?? unknown(ref))(savedOnly));
    return (found ?? unknown(ref))(savedOnly);
  };
  return {
    compileDeclared(savedOnly) {
      for (const [slug, ready] of declared) compiledAtStart(slug, () => ready(savedOnly));
    },
    of(exchange, savedOnly) {
      const header = exchange.gatewayHeaders.get("config");
      const own = exchange.principal?.defaultConfig;
      if (own?.mayReplace === false && header !== undefined && header !== own.slug && header !== own.id)
        throw mayNotReplace(exchange);
      if (header === undefined) {
        const slug = own?.slug ?? defaultSlug;
        return slug === undefined ? undefined : named(slug, exchange, savedOnly);
      }
      if (!header.startsWith("{")) return named(header, exchange, savedOnly);
      // An inline config may hold credentials: what it was made into is never another caller's.
      const key = `${exchange.principal?.id ?? ""}\u0000${header}`;
      return inline.get(key, () => readInline(header, exchange, input))(savedOnly);
    },
  };
}

/** What a strategy refuses on purpose is a mistake in the config, and told with its slug. */
function compiledAtStart(slug: string, compile: () => void): void {
  try {
    compile();
  } catch (error) {
    if (!(error instanceof GatewayError) || error.details.plugin !== undefined) throw error;
    throw new Error(`1 mistake in the routing configs\nconfigs.${slug}: ${error.message}`, { cause: error });
  }
}

function unknown(ref: string): never {
  throw new GatewayError("config_invalid", `There is no saved config "${ref}" here.`, { param: "config" });
}

const mayNotReplace = ({ gatewayHeaders }: Exchange) =>
  new GatewayError(
    "config_invalid",
    `This credential has a routing config of its own and may not name another one: leave ${gatewayHeaders.nameOf("config")} out.`,
    { param: "config" },
  );

/** Configs that are kept elsewhere: each is read once, until it changes and another object stands for it. */
function keptConfigs(input: ConfigsInput) {
  const ready = new WeakMap<SavedConfig, ReadyConfig | Promise<ReadyConfig>>();
  const read = (saved: SavedConfig): Promise<ReadyConfig> => {
    const reading = readKept(saved, input);
    ready.set(saved, reading);
    reading.then(
      (config) => ready.set(saved, config),
      // A config that is not valid stays so; what else went wrong may go well another time.
      (error: unknown) => isMistake(error) || ready.delete(saved),
    );
    return reading;
  };
  const readyOf = (saved: SavedConfig | undefined) => saved && (ready.get(saved) ?? read(saved));
  return (principal: Principal, ref: string): ReadyConfig | undefined | Promise<ReadyConfig | undefined> => {
    const found = input.find?.(principal, ref);
    return found instanceof Promise ? found.then(readyOf) : readyOf(found);
  };
}

const isMistake = (error: unknown): boolean => error instanceof GatewayError && error.code === "config_invalid";

async function readKept({ id, slug, version, config }: SavedConfig, input: ConfigsInput): Promise<ReadyConfig> {
  const { root, problems } = await readSaved(config, false, input, slug);
  if (!root) throw invalidConfig(`The saved config "${slug}" is not valid here`, problems);
  return readyConfig(root, { id: slug, trusted: false, inForce: { slug, id, version } }, input);
}

async function readDeclared(input: ConfigsInput): Promise<Map<string, ReadyConfig>> {
  const read = new Map<string, ReadyConfig>();
  const mistakes: string[] = [];
  for (const [slug, written] of Object.entries(input.declared)) {
    const { root, problems } = await readSaved(written, true, input, slug);
    for (const { path, message } of problems) mistakes.push(`${["configs", slug, ...path].join(".")}: ${message}`);
    if (root) read.set(slug, readyConfig(root, { id: slug, trusted: true, inForce: { slug } }, input));
  }
  if (mistakes.length > 0) throw new Error(`${count(mistakes.length)} in the routing configs\n${mistakes.join("\n")}`);
  return read;
}

const count = (mistakes: number): string => `${mistakes} mistake${mistakes === 1 ? "" : "s"}`;
