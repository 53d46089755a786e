import {
  type Exchange,
  GatewayError,
  type OptionMistake,
  type Principal,
  refuseOptions,
  type SavedConfig,
  type SavedConfigFinder,
  suggestion,
} from "../../core/index.ts";
import { asWritten } from "./config/spelling.ts";
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
  of(exchange: Exchange, savedOnly: boolean): CompiledConfig | undefined | Promise<CompiledConfig | undefined>;
  /** Compiles those of the file, as the start does: what cannot be compiled then could never be walked. */
  compileDeclared(savedOnly: boolean): void;
}

/** Inline configs that are kept compiled. */
const mostInline = 500;

/** Reads the configs of the file; every mistake in any of them stops the start, with those in other options. */
export async function openConfigs(input: ConfigsInput, others: readonly OptionMistake[]): Promise<Configs> {
  const { declared, mistakes } = await readDeclared(input);
  refuseOptions([...others, ...mistakes, ...unknownDefault(input)]);
  const { defaultSlug } = input;
  const inline = recentlyUsed<ReadyConfig>(mostInline);
  const kept = keptConfigs(input);
  const named = (ref: string, exchange: Exchange, savedOnly: boolean, other?: Configs["of"]) => {
    const found = declared.get(ref) ?? (exchange.principal && kept(exchange.principal, ref));
    const orOther = (ready: ReadyConfig | undefined) => {
      if (!ready && other) return other(exchange, savedOnly);
      return (ready ?? unknown(ref, exchange))(savedOnly);
    };
    return found instanceof Promise ? found.then(orOther) : orOther(found);
  };
  const ofDeployment: Configs["of"] = (exchange, savedOnly) =>
    defaultSlug === undefined ? undefined : named(defaultSlug, exchange, savedOnly);
  return {
    compileDeclared(savedOnly) {
      refuseOptions([...declared].flatMap(([slug, ready]) => compiledAtStart(slug, () => ready(savedOnly))));
    },
    of(exchange, savedOnly) {
      const header = exchange.gatewayHeaders.get("config");
      const own = exchange.principal?.defaultConfig;
      if (own?.mayReplace === false && header !== undefined && header !== own.slug && header !== own.id)
        throw mayNotReplace(exchange);
      if (header === undefined) {
        if (own?.slug === undefined) return ofDeployment(exchange, savedOnly);
        return named(own.slug, exchange, savedOnly, own.ifThere && ofDeployment);
      }
      if (!header.startsWith("{")) return named(header, exchange, savedOnly);
      // An inline config may hold credentials: what it was made into is never another caller's.
      const key = `${exchange.principal?.id ?? ""}\u0000${header}`;
      return inline.get(key, () => readInline(header, exchange, input))(savedOnly);
    },
  };
}

/** What a strategy refuses on purpose is a mistake in the config, and told with its slug. */
function compiledAtStart(slug: string, compile: () => void): OptionMistake[] {
  try {
    compile();
    return [];
  } catch (error) {
    if (!(error instanceof GatewayError) || error.details.plugin !== undefined) throw error;
    return [{ path: ["configs", slug], message: error.message }];
  }
}

function unknownDefault({ declared, defaultSlug }: ConfigsInput): OptionMistake[] {
  if (defaultSlug === undefined || Object.hasOwn(declared, defaultSlug)) return [];
  const remedy = suggestion(defaultSlug, Object.keys(declared), "configs");
  const message = `names the config "${defaultSlug}", which is not among those of the file; ${remedy}`;
  return [{ path: ["defaultConfig"], message }];
}

/** What slugs and ids look like. Anything else may be a config that was written wrongly, with credentials in it. */
const name = /^[\w.:@/-]{1,64}$/;

function unknown(ref: string, { gatewayHeaders }: Exchange): never {
  const message = name.test(ref)
    ? `There is no saved config "${ref}" here.`
    : `${gatewayHeaders.nameOf("config")} is neither the slug of a saved config nor JSON, which begins with "{".`;
  throw new GatewayError("config_invalid", message, { param: "config" });
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
  const { root, problems } = await readSaved(config, { trusted: false, kept: true, name: slug }, input);
  // Who may ask by a config is not always somebody who may read it.
  const unseen = problems.map(({ path, message }) => ({ path, message }));
  if (!root) throw invalidConfig(`The saved config "${slug}" is not valid here`, unseen);
  return readyConfig(root, { id: slug, trusted: false, inForce: { slug, id, version } }, input);
}

async function readDeclared(
  input: ConfigsInput,
): Promise<{ readonly declared: Map<string, ReadyConfig>; readonly mistakes: readonly OptionMistake[] }> {
  const declared = new Map<string, ReadyConfig>();
  const mistakes: OptionMistake[] = [];
  for (const [slug, written] of Object.entries(input.declared)) {
    const { root, problems } = await readSaved(written, { trusted: true, name: slug }, input);
    for (const { path, ...problem } of problems)
      mistakes.push({ ...problem, path: ["configs", slug, ...asWritten(written, path)] });
    if (root) declared.set(slug, readyConfig(root, { id: slug, trusted: true, inForce: { slug } }, input));
  }
  return { declared, mistakes };
}
