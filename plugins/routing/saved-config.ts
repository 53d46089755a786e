import type { ConfigInForce, ProviderRegistry } from "../../core/index.ts";
import { isTooDeep, type Limits, sizeProblem } from "./config/limits.ts";
import { type ReadContext, type ReadNode, slugOf } from "./config/node.ts";
import { lineOf, type Problem } from "./config/problems.ts";
import { readConfig } from "./config/read-config.ts";
import { inSnakeCase, isMap } from "./config/spelling.ts";
import type { Vocabulary } from "./config/vocabulary.ts";
import { type CompiledConfig, compileConfig } from "./walk/compile.ts";
import type { Selector } from "./walk/select-provider.ts";

export interface ReadingInput {
  readonly limits: Limits;
  readonly vocabulary: Vocabulary;
  readonly providers: ProviderRegistry;
}

export interface CompileInput extends ReadingInput {
  /** For callers who may bring providers of their own, and for those who may not. */
  readonly selectors: { readonly open: Selector; readonly savedOnly: Selector };
}

/** Reads a config that is kept, or is to be: every mistake of it at once. */
export async function readSaved(
  written: unknown,
  whose: Pick<ReadContext, "trusted" | "kept" | "name">,
  { limits, vocabulary, providers }: ReadingInput,
): Promise<{ readonly root?: ReadNode; readonly problems: readonly Problem[] }> {
  if (isTooDeep(written)) return { problems: [{ path: [], message: "is nested too deeply to be a routing config" }] };
  const config = inSnakeCase(written, vocabulary.opaque);
  if (isMap(config) && "options" in config) return { problems: [retired] };
  const size = sizeProblem(config, limits);
  const fieldsOf = await fieldsOfNamed(config, providers);
  const { root, problems } = readConfig(config, { vocabulary, providers, saved: true, fieldsOf, ...whose });
  if (size) return { problems: [size, ...problems] };
  return { problems, ...(root && { root }) };
}

/** The same of a config that somebody writes in place of another one: a name that was misspelt in that is not new. */
export async function readWritten(
  written: unknown,
  before: unknown,
  input: ReadingInput,
): ReturnType<typeof readSaved> {
  const read = await readSaved(written, { trusted: false }, input);
  if (read.root || before === undefined) return read;
  const kept = await readSaved(written, { trusted: false, kept: true }, input);
  const [misspelt, known] = [linesBeside(kept, read), await misspeltIn(before, input)];
  return [...misspelt].every((line) => known.has(line)) ? kept : read;
}

async function misspeltIn(written: unknown, input: ReadingInput): Promise<ReadonlySet<string>> {
  const kept = await readSaved(written, { trusted: false, kept: true }, input);
  return linesBeside(kept, await readSaved(written, { trusted: false }, input));
}

type Read = Awaited<ReturnType<typeof readSaved>>;

/** What is wrong with a config that is written, and is not with one that is kept. */
function linesBeside(kept: Read, written: Read): ReadonlySet<string> {
  const known = new Set(kept.problems.map(lineOf));
  return new Set(written.problems.map(lineOf).filter((line) => !known.has(line)));
}

const retired = { path: ["options"], message: "is a retired format: write strategy and targets instead" };

/** A config as it is walked: for callers who may set options in headers, and for those who may name saved things only. */
export type ReadyConfig = (savedOnly: boolean) => CompiledConfig;

export interface ReadyInput {
  readonly id: string;
  /** Whether its hosts and secrets are the operator's word. */
  readonly trusted: boolean;
  readonly inForce?: ConfigInForce;
}

/** Compiles a config that was read when it is first walked, once for each kind of caller. */
export function readyConfig(
  root: ReadNode,
  { id, trusted, inForce }: ReadyInput,
  { vocabulary, providers, selectors }: CompileInput,
): ReadyConfig {
  const compiled: { open?: CompiledConfig; savedOnly?: CompiledConfig } = {};
  return (savedOnly) => {
    const mode = savedOnly ? "savedOnly" : "open";
    compiled[mode] ??= compileConfig(root, id, {
      vocabulary,
      wrappers: vocabulary.wrappers,
      providers,
      selector: selectors[mode],
      saved: trusted,
      headerOptions: !savedOnly,
      ...(inForce && { inForce }),
    });
    return compiled[mode];
  };
}

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
