import type { ConfigField } from "../../../core/index.ts";
import { foundThere } from "./found.ts";
import { fieldsOfOthers, mayBeProviderField } from "./known-fields.ts";
import { type ReadContext, type ReadNode, slugOf } from "./node.ts";
import { ruleProblems } from "./node-rules.ts";
import { type Path, type Problem, readWith, unknownKey } from "./problems.ts";
import { readStrategy } from "./read-strategy.ts";
import { isMap, snakeCase } from "./spelling.ts";

/** Reads a config whose keys are in snake_case. Without mistakes there is a root. */
export function readConfig(
  config: unknown,
  context: ReadContext,
): { readonly root: ReadNode | undefined; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const root = readNode(config, { place: "config", path: [] }, context, problems);
  return { root: problems.length > 0 ? undefined : root, problems };
}

type Position = Pick<ReadNode, "place" | "path">;

function readNode(value: unknown, position: Position, context: ReadContext, problems: Problem[]): ReadNode | undefined {
  const { path, place } = position;
  if (!isMap(value)) {
    problems.push({ path, message: "must be an object", ...(!context.trusted && foundThere(value, false)) });
    return undefined;
  }
  const before = problems.length;
  const { strategy, targets, ...rest } = value;
  const { fields, options } = readFields(rest, path, context, problems);
  const children = readTargets(targets, position, context, problems);
  const own = fields as ReadNode["fields"];
  const chosen = readStrategy({ strategy, targets, fields, path, place }, context, problems);
  const group = chosen && children && { ...chosen, targets: children };
  const { name, weight, ...others } = own as Record<string, unknown>;
  const node: ReadNode = {
    ...position,
    fields: others,
    ...(typeof name === "string" && { name }),
    weight: typeof weight === "number" ? weight : 1,
    options,
    ...(group && { group }),
  };
  const saysNothing =
    strategy === undefined &&
    targets === undefined &&
    Object.keys(fields).length === 0 &&
    !Object.keys(options).some(mayBeProviderField);
  if (saysNothing && problems.length === before) problems.push({ path, message: "has no field that is known" });
  else problems.push(...ruleProblems(node, context));
  return node;
}

function readFields(
  value: Readonly<Record<string, unknown>>,
  path: Path,
  context: ReadContext,
  problems: Problem[],
): { fields: Record<string, unknown>; options: Record<string, unknown> } {
  const { vocabulary, saved, trusted } = context;
  const fields: Record<string, unknown> = {};
  const options: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const at = { path: [...path, key], saved, shown: !trusted, problems };
    const field = vocabulary.fields.get(key);
    if (field) {
      const name = snakeCase(field.name);
      const read = name !== key && Object.hasOwn(value, name) ? undefined : readWith(field.schema, inner, at);
      if (!read) continue;
      fields[name] = read.value;
      if (saved && !context.kept) problems.push(...misspeltIn(field, inner, at.path));
    } else if (fieldsOfOthers.has(key)) {
      problems.push({ path: at.path, message: "no plugin that is loaded here knows this field", isKey: true });
    } else if (saved && !isOption(key, value, context)) {
      problems.push(unknownKey(path, key, knownIn(value, context)));
    } else {
      options[key] = inner;
    }
  }
  return { fields, options };
}

const misspeltIn = ({ misspelt }: ConfigField, value: unknown, around: Path): Problem[] =>
  (misspelt?.(value) ?? []).map(({ path, message }) => ({ path: [...around, ...path], message, isKey: true }));

/** What the fields of a node may be called: those of the vocabulary, and the options of its provider, where that is known. */
function knownIn(node: Readonly<Record<string, unknown>>, { vocabulary, fieldsOf }: ReadContext): string[] {
  const named = [node.virtual_key, node.provider].find((one) => typeof one === "string");
  const options = named === undefined ? [] : (fieldsOf?.(slugOf(named)) ?? []);
  return ["strategy", "targets", ...vocabulary.fields.keys(), ...options];
}

/** Whether a key is an option of the provider of its node, or where the request chooses one, of any. */
function isOption(key: string, node: Readonly<Record<string, unknown>>, { fieldsOf, providers }: ReadContext): boolean {
  const named = [node.virtual_key, node.provider].find((one) => typeof one === "string");
  // What vendor a provider is of that is kept elsewhere only shows with the request.
  if (named === undefined || !providers.knows(slugOf(named))) return mayBeProviderField(key);
  return fieldsOf?.(slugOf(named))?.includes(key) === true;
}

function readTargets(
  targets: unknown,
  { place, path }: Position,
  context: ReadContext,
  problems: Problem[],
): readonly ReadNode[] | undefined {
  if (targets === undefined) return undefined;
  if (!Array.isArray(targets) || targets.length === 0) {
    const message = Array.isArray(targets) ? "must have at least 1 entry" : "must be a list";
    const isShown = !context.trusted && !Array.isArray(targets);
    problems.push({ path: [...path, "targets"], message, ...(isShown && foundThere(targets, false)) });
    return undefined;
  }
  const nodes = targets.map((target: unknown, index) =>
    readNode(target, { place: `${place}.targets[${index}]`, path: [...path, "targets", index] }, context, problems),
  );
  return nodes.every((node) => node !== undefined) ? nodes : undefined;
}
