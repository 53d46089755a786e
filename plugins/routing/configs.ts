import { createHash } from "node:crypto";
import { type Exchange, GatewayError, type ProviderRegistry } from "../../core/index.ts";
import { type Limits, sizeProblem } from "./config/limits.ts";
import { lineOf, type Problem } from "./config/problems.ts";
import { type ReadContext, type ReadNode, readConfig, slugOf } from "./config/read-config.ts";
import { inSnakeCase, isMap } from "./config/spelling.ts";
import type { Vocabulary } from "./config/vocabulary.ts";
import { recentlyUsed } from "./inline-cache.ts";
import { type CompiledConfig, compileConfig } from "./walk/compile.ts";
import type { Selector } from "./walk/select-provider.ts";

export interface ConfigsInput {
  /** Of the file, by slug. */
  readonly saved: Readonly<Record<string, unknown>>;
  readonly defaultSlug: string | undefined;
  readonly limits: Limits;
  readonly savedOnly: boolean;
  readonly vocabulary: Vocabulary;
  readonly providers: ProviderRegistry;
  readonly selector: Selector;
}

/** Where the config of a request comes from (routing-config.md section 1.1). */
export interface Configs {
  of(exchange: Exchange): CompiledConfig | undefined;
}

/** Inline configs that are kept compiled. */
const mostInline = 500;

/** Compiles the configs of the file; every mistake in any of them stops the start. */
export async function openConfigs(input: ConfigsInput): Promise<Configs> {
  const saved = await compileSaved(input);
  const { defaultSlug, savedOnly } = input;
  if (defaultSlug !== undefined && !saved.has(defaultSlug))
    throw new Error(`defaultConfig names "${defaultSlug}", which is not among the configs`);
  const inline = recentlyUsed<CompiledConfig>(mostInline);
  const bySlug = (slug: string) => {
    const found = saved.get(slug);
    if (found) return found;
    throw new GatewayError("config_invalid", `There is no saved config "${slug}" here.`, { param: "config" });
  };
  return {
    of(exchange) {
      const header = exchange.gatewayHeaders.get("config");
      const own = exchange.principal?.defaultConfig;
      if (own?.mayReplace === false && header !== undefined && header !== own.slug) throw mayNotReplace(exchange);
      if (header === undefined) {
        const slug = own?.slug ?? defaultSlug;
        return slug === undefined ? undefined : bySlug(slug);
      }
      if (!header.startsWith("{")) return bySlug(header);
      // An inline config may hold credentials: what it was made into is never another caller's.
      const key = `${exchange.principal?.id ?? ""}\u0000${header}`;
      return inline.get(key, () => compileInline(header, exchange, { ...input, savedOnly }));
    },
  };
}

const mayNotReplace = ({ gatewayHeaders }: Exchange) =>
  new GatewayError(
    "config_invalid",
    `This credential has a routing config of its own and may not name another one: leave ${gatewayHeaders.nameOf("config")} out.`,
    { param: "config" },
  );

function compileInline(text: string, exchange: Exchange, input: ConfigsInput): CompiledConfig {
  const json = parsed(text, exchange);
  if (isDeeperThan(deepest, json)) throw invalid("The routing config is nested too deeply to be one");
  const config = inSnakeCase(json, input.vocabulary.opaque);
  if (isMap(config) && "options" in config)
    throw invalid("The routing config is in a retired format (options): write strategy and targets instead");
  const size = sizeProblem(config, input.limits);
  if (size) throw invalid(`The routing config is too large: ${size.path.join(".")} ${size.message}`, [size]);
  const { root, problems } = readConfig(config, contextOf(input, false));
  if (!root) throw invalid("The routing config is not valid", problems);
  const digest = createHash("sha256").update(text).digest("hex");
  return compile(root, `inline:${digest}`, input, false);
}

function parsed(text: string, { gatewayHeaders }: Exchange): unknown {
  try {
    return JSON.parse(utf8(text)) as unknown;
  } catch {
    // What the parser has to say quotes the text, which may hold credentials.
    throw invalid(`${gatewayHeaders.nameOf("config")} begins with "{" but is not valid JSON`);
  }
}

/** Node reads headers as Latin-1; most clients write UTF-8 into them. Text that is not UTF-8 was meant as it came. */
function utf8(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}

/** No config is as deep, bodies in `override_params` included; what is could only exhaust whoever reads it. */
const deepest = 64;

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

const invalid = (message: string, problems: readonly Problem[] = []) =>
  new GatewayError("config_invalid", message, {
    param: "config",
    ...(problems.length > 0 && { errors: problems.map(lineOf) }),
  });

async function compileSaved(input: ConfigsInput): Promise<Map<string, CompiledConfig>> {
  const compiled = new Map<string, CompiledConfig>();
  const mistakes: string[] = [];
  for (const [slug, written] of Object.entries(input.saved)) {
    const config = inSnakeCase(written, input.vocabulary.opaque);
    const retired = isMap(config) && "options" in config;
    const size = sizeProblem(config, input.limits);
    const fieldsOf = await fieldsOfNamed(config, input.providers);
    const { root, problems } = retired ? retiredFormat : readConfig(config, { ...contextOf(input, true), fieldsOf });
    for (const { path, message } of size ? [size, ...problems] : problems)
      mistakes.push(`${["configs", slug, ...path].join(".")}: ${message}`);
    if (root && !size) compiled.set(slug, compile(root, slug, input, true));
  }
  if (mistakes.length > 0) throw new Error(`${count(mistakes.length)} in the routing configs\n${mistakes.join("\n")}`);
  return compiled;
}

const count = (mistakes: number): string => `${mistakes} mistake${mistakes === 1 ? "" : "s"}`;

const retiredFormat = {
  root: undefined,
  problems: [{ path: ["options"], message: "is a retired format: write strategy and targets instead" }],
};

const contextOf = ({ vocabulary, providers }: ConfigsInput, saved: boolean): ReadContext => ({
  vocabulary,
  providers,
  saved,
});

const compile = (
  root: ReadNode,
  id: string,
  { vocabulary, providers, selector, savedOnly }: ConfigsInput,
  saved: boolean,
): CompiledConfig =>
  compileConfig(root, id, {
    vocabulary,
    wrappers: vocabulary.wrappers,
    providers,
    selector,
    saved,
    headerOptions: !savedOnly,
  });

/** Loads the providers a config names, and tells the options each of them has. */
async function fieldsOfNamed(
  config: unknown,
  providers: Pick<ProviderRegistry, "fieldsOf">,
): Promise<(provider: string) => readonly string[]> {
  const fields = new Map<string, readonly string[]>();
  for (const name of new Set(namesIn(config))) fields.set(name, await providers.fieldsOf(name));
  return (provider) => fields.get(provider) ?? [];
}

function namesIn(node: unknown): string[] {
  if (!isMap(node)) return [];
  const own = [node.provider, node.virtual_key].flatMap((name) => (typeof name === "string" ? [slugOf(name)] : []));
  return [...own, ...(Array.isArray(node.targets) ? node.targets.flatMap(namesIn) : [])];
}
