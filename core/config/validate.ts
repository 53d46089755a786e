import { parse } from "yaml";
import type { z } from "zod";
import { suggestion } from "../nearest.ts";
import type { ConfigDocument } from "./document.ts";
import type { Path } from "./mistakes.ts";
import { descriptionOf, knownKeys, mayBeSecret, schemasAt } from "./schema-walk.ts";
import { strayKeys } from "./stray-keys.ts";
import { leavesOf, valueAt, withoutValues } from "./values.ts";
import { type Found, unwritten, withOrigin, withoutFound, words } from "./words.ts";

type Issue = z.core.$ZodIssue;

/** A part of the file and the schema it is held to. */
export interface Part<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly value: unknown;
  /** Where in the file the value stands. */
  readonly path: Path;
  /** What an unknown key is called: `option`. */
  readonly keyName?: string;
  /** Keys that may stand beside the schema's own, for suggestions. */
  readonly otherKeys?: readonly string[];
}

/**
 * The value as the schema gives it back, or nothing after all that is wrong with it has been reported. Keys that a plain
 * `z.object` does not know are reported as those of a strict one are.
 */
export async function validate<Schema extends z.ZodType>(
  part: Part<Schema>,
  document: ConfigDocument,
): Promise<{ readonly value: z.output<Schema> } | undefined> {
  const read = () => part.schema.safeParseAsync(part.value, { error: () => unwritten });
  const tried = new Set<string>();
  try {
    let result = await read();
    // A second look can only follow a change, and each reference is changed once.
    while (!result.success && changeReferences(result.error.issues, part, document, tried)) result = await read();
    const strays = strayKeys(part.schema, part.value);
    for (const { keys, path } of strays) reportUnknown(keys, path, part, document);
    if (result.success) return strays.length === 0 ? { value: result.data } : undefined;
    for (const issue of result.error.issues) reportIssue(issue, [], part, document);
  } catch (error) {
    // Only the kind of error is told: its message could hold a value.
    const kind = error instanceof Error ? error.name : "an error";
    document.report.add(part.path, document.place(part.path).keyAt, `its schema fails to read these options: ${kind}`);
  }
  return undefined;
}

const steps = (path: readonly PropertyKey[]): Path =>
  path.map((step) => (typeof step === "number" ? step : String(step)));

/** Reads a reference's text as what its schema expects: `${PORT:-8787}` is a number where a number is wanted. */
function changeReferences(
  issues: readonly Issue[],
  part: Part<z.ZodType>,
  document: ConfigDocument,
  tried: Set<string>,
): boolean {
  let changed = false;
  for (const { issue, path } of issues.flatMap((each) => innermost(each, []))) {
    const text = valueAt(part.value, path);
    const parent = valueAt(part.value, path.slice(0, -1));
    const last = path.at(-1);
    if (typeof text !== "string" || last === undefined || typeof parent !== "object" || parent === null) continue;
    if (!document.place([...part.path, ...path]).reference?.flexible) continue;
    const value = readAs(text, issue);
    const id = path.join("\u0000");
    if (value === undefined || tried.has(id)) continue;
    tried.add(id);
    Object.assign(parent, { [last]: value });
    changed = true;
  }
  return changed;
}

/** The issues a union is made of, and all others as they are. */
function innermost(issue: Issue, base: Path): { issue: Issue; path: Path }[] {
  const path = [...base, ...steps(issue.path)];
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [{ issue, path }];
  return issue.errors.flat().flatMap((inner) => innermost(inner, path));
}

const yes = /^(true|on|1|yes)$/i;
const no = /^(false|off|0|no)$/i;

/** Numbers by the rules of YAML, booleans and lists by those for environment variables (operations.md section 3.1). */
function readAs(text: string, issue: Issue): unknown {
  if (issue.code === "invalid_value") {
    const value = scalarOf(text);
    return issue.values.some((each) => each === value) ? value : undefined;
  }
  if (issue.code !== "invalid_type") return undefined;
  switch (issue.expected) {
    case "boolean":
      return yes.test(text) ? true : no.test(text) ? false : undefined;
    case "number":
    case "int": {
      const value = scalarOf(text);
      return typeof value === "number" ? value : undefined;
    }
    case "array": {
      const entries = text.split(",").map((entry) => entry.trim());
      return entries.filter((entry) => entry !== "");
    }
    default:
      return undefined;
  }
}

/** Only what cannot be a list, a map or a comment is given to the parser. */
const scalarOf = (text: string): unknown => (/^[-+.\w]+$/.test(text) ? parse(text) : undefined);

function reportIssue(issue: Issue, base: Path, part: Part<z.ZodType>, document: ConfigDocument): void {
  const path = [...base, ...steps(issue.path)];
  const absolute = [...part.path, ...path];
  if (isConsequence(issue, absolute, document)) return;
  const member = issue.message === unwritten ? likeliestMember(issue) : undefined;
  if (issue.code === "unrecognized_keys") reportUnknown(issue.keys, path, part, document);
  else if (issue.code !== "custom" && path.length > 0 && valueAt(part.value, path) === undefined)
    reportMissing(issue, path, part, document);
  else if (member) for (const inner of member) reportIssue(inner, path, part, document);
  else reportWrong(issue, path, part, document);
}

function reportWrong(issue: Issue, path: Path, part: Part<z.ZodType>, document: ConfigDocument): void {
  const absolute = [...part.path, ...path];
  const at = foundAt(path, part, document);
  const place = document.place(absolute);
  const written = () =>
    withOrigin(withoutHidden(issue.message, path, part, document), place.reference?.variables ?? []);
  const text = issue.message === unwritten ? words(issue, at) : written();
  document.report.add(absolute, issue.code === "invalid_key" ? place.keyAt : place.valueAt, text);
}

/** Whether the issue only says again that a reference could not be resolved. */
const isConsequence = (issue: Issue, path: Path, document: ConfigDocument): boolean =>
  issue.code !== "unrecognized_keys" &&
  document.failed.some(
    (failed) =>
      beginsWith(path, failed) ||
      ((issue.code === "invalid_union" || issue.code === "custom") && beginsWith(failed, path)),
  );

const beginsWith = (path: Path, start: Path) => start.every((step, index) => path[index] === step);

function reportUnknown(keys: readonly string[], path: Path, part: Part<z.ZodType>, document: ConfigDocument): void {
  const name = part.keyName ?? "option";
  const known = knownKeys(part.schema, path);
  const others = path.length === 0 ? (part.otherKeys ?? []) : [];
  const container = [...part.path, ...path];
  for (const key of keys) {
    const { keyAt } = document.place([...container, key]);
    document.report.add(container, keyAt, `unknown ${name} "${key}"; ${suggestion(key, known, `${name}s`, others)}`);
  }
}

function reportMissing(issue: Issue, path: Path, part: Part<z.ZodType>, document: ConfigDocument): void {
  const absolute = [...part.path, ...path];
  const container = absolute.slice(0, -1);
  const description = schemasAt(part.schema, path)
    .map(descriptionOf)
    .find((text) => text !== undefined);
  const wanted = description ?? withoutFound(issue);
  const place = document.place(absolute);
  if (place.path.length === absolute.length) {
    document.report.add(absolute, place.valueAt, `is required, and its reference gives nothing: ${wanted}`);
  } else {
    const name = `${part.keyName ?? "option"} "${absolute.at(-1)}"`;
    document.report.add(container, document.place(container).keyAt, `the ${name} is missing: ${wanted}`);
  }
}

/** The member of a union that fits best, unless all of them already fail at the value as a whole. */
function likeliestMember(issue: Issue): readonly Issue[] | undefined {
  if (issue.code !== "invalid_union") return undefined;
  const misfit = (member: readonly Issue[]) =>
    member.reduce((sum, { code, path }) => sum + 1 + (code === "invalid_value" && path.length > 0 ? 10 : 0), 0);
  return issue.errors
    .filter((member) => member.every(({ code, path }) => path.length > 0 || code === "unrecognized_keys"))
    .sort((left, right) => misfit(left) - misfit(right))[0];
}

function foundAt(path: Path, part: Part<z.ZodType>, document: ConfigDocument): Found {
  const { reference } = document.place([...part.path, ...path]);
  const variables = reference?.variables ?? [];
  const value = valueAt(part.value, path);
  const shown = variables.length === 0 && !mayBeSecret(part.schema, path);
  return { value, variables, shown, fixed: reference?.flexible === false };
}

/** A message somebody wrote for a schema may hold a value; it must not when the value is not to be seen. */
function withoutHidden(message: string, path: Path, part: Part<z.ZodType>, document: ConfigDocument): string {
  const leaves = leavesOf(valueAt(part.value, path), path);
  const found = leaves.map((leaf) => ({ ...foundAt(leaf.path, part, document), text: leaf.text }));
  return withoutValues(
    message,
    found.filter(({ shown }) => !shown),
  );
}
