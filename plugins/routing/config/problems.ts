import { didYouMean, knownKeys, valueAt, type z } from "../../../core/index.ts";
import { foundThere } from "./found.ts";

type Issue = z.core.$ZodIssue;
export type Path = readonly (string | number)[];

/** Stands for a message nobody wrote: a schema's own message is kept, all others are put in our words. */
const unwritten = "\u0000";

/** A mistake, where it is. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
  /** What stands there instead, where that may be told. */
  readonly found?: string;
  /** Whether the key at the end of the path is what is wrong. */
  readonly isKey?: boolean;
}

/** As clients are told: `path: targets.0.weight, message: must be 0 or more` (routing-config.md section 3.4). */
export const lineOf = ({ path, message }: Problem): string => `path: ${path.join(".") || "root"}, message: ${message}`;

/** The same for people: with what stands there instead. */
export const toldLineOf = (problem: Problem): string =>
  lineOf(problem) + (problem.found === undefined ? "" : `; found ${problem.found}`);

/**
 * Reads a value with a schema. Keys a strict map does not know are left out of a caller's config and are mistakes in a
 * config of the file. Nothing is returned when there were mistakes.
 */
export function readWith(
  schema: z.ZodType,
  value: unknown,
  at: { readonly path: Path; readonly saved: boolean; readonly shown: boolean; readonly problems: Problem[] },
): { readonly value: unknown } | undefined {
  let input = value;
  // Every round takes at least one key away, so that it ends.
  for (;;) {
    const result = schema.safeParse(input, { error: () => unwritten });
    if (result.success) return { value: result.data };
    const fewer = at.saved ? undefined : withoutUnknown(input, result.error.issues);
    if (fewer === undefined) {
      at.problems.push(
        ...result.error.issues.flatMap((issue) =>
          problemsOf(issue, { schema, base: at.path, input, shown: at.shown }, []),
        ),
      );
      return undefined;
    }
    input = fewer;
  }
}

/** A copy without the keys that strict maps do not know; nothing when that is not what is wrong. */
function withoutUnknown(input: unknown, issues: readonly Issue[]): unknown {
  const unknown = issues.flatMap((issue) => unknownIn(issue, []));
  if (unknown.length === 0) return undefined;
  const copy = structuredClone(input);
  for (const { path, keys } of unknown) {
    const map = valueAt(copy, path);
    if (typeof map === "object" && map !== null) for (const key of keys) delete (map as Record<string, unknown>)[key];
  }
  return copy;
}

function unknownIn(issue: Issue, base: Path): { path: Path; keys: readonly string[] }[] {
  const path = [...base, ...steps(issue.path)];
  if (issue.code === "unrecognized_keys") return [{ path, keys: issue.keys }];
  if (issue.code !== "invalid_union") return [];
  // The member of a union that would fit if it were not so strict.
  const member = issue.errors.find((one) => one.length > 0 && one.every(({ code }) => code === "unrecognized_keys"));
  return (member ?? []).flatMap((inner) => unknownIn(inner, path));
}

const steps = (path: readonly PropertyKey[]): Path =>
  path.map((step) => (typeof step === "number" ? step : String(step)));

/** A key that nobody knows, with the one that was probably meant. */
export const unknownKey = (around: Path, key: string, known: readonly string[]): Problem => ({
  path: [...around, key],
  message: `is not known${didYouMean(key, known)}`,
  isKey: true,
});

/** What was read, with what, and where it stands. */
interface Reading {
  readonly schema: z.ZodType;
  readonly base: Path;
  readonly input: unknown;
  /** Values may be told: what stands in the file may come from a variable. */
  readonly shown: boolean;
}

function problemsOf(issue: Issue, reading: Reading, inside: Path): Problem[] {
  const { schema, base, input, shown } = reading;
  const within = [...inside, ...steps(issue.path)];
  const path = [...base, ...within];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => unknownKey(path, key, knownKeys(schema, within)));
  if (issue.message === unwritten && issue.code === "invalid_union") {
    // A member that accepts the kind of value tells more precisely what is wrong in it.
    const member = issue.errors.find((one) => one.length > 0 && one.every((inner) => inner.path.length > 0));
    if (member) return member.flatMap((inner) => problemsOf(inner, reading, within));
  }
  if (isMissing(issue, input, within)) return [{ path, message: "required" }];
  const value = valueAt(input, within);
  const near = shown && issue.code === "invalid_value" && typeof value === "string";
  const message = messageOf(issue) + (near ? didYouMean(value, issue.values.map(String)) : "");
  return [{ path, message, ...(shown && foundFor(issue, value)) }];
}

/** Nothing is missing inside of what is no object: a short form was written, and is not right. */
function isMissing({ code }: Issue, input: unknown, within: Path): boolean {
  const around = valueAt(input, within.slice(0, -1));
  return (
    code !== "custom" && valueAt(input, within) === undefined && (within.length === 0 || typeof around === "object")
  );
}

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
};

function messageOf(issue: Issue): string {
  if (issue.message !== unwritten) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return `must be ${issue.maximum} or less${issue.origin === "string" ? " characters" : ""}`;
    case "invalid_format":
      return `must be a valid ${issue.format}`;
    case "invalid_union":
      return unionMessage(issue);
    default:
      return "is not valid";
  }
}

/** What stands there instead, told only where one of some words, a number, or true or false is wanted: elsewhere it may be a secret. */
function foundFor(issue: Issue, value: unknown): Pick<Problem, "found"> {
  if (issue.code === "invalid_type") return foundThere(value, toldKinds.has(issue.expected));
  if (issue.code === "invalid_value" || typeof value === "number") return foundThere(value);
  return {};
}

const toldKinds: ReadonlySet<string> = new Set(["number", "int", "boolean"]);

function tooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: "too_small" }>): string {
  if (origin === "string" && Number(minimum) === 1) return "must not be empty";
  if (origin === "array") return `must have at least ${minimum} ${Number(minimum) === 1 ? "entry" : "entries"}`;
  return inclusive === false ? `must be more than ${minimum}` : `must be ${minimum} or more`;
}

function unionMessage(issue: Extract<Issue, { code: "invalid_union" }>): string {
  const wanted = issue.errors.flatMap((member) => member.slice(0, 1)).map(messageOf);
  return [...new Set(wanted)].map((text, index) => (index === 0 ? text : text.replace(/^must be /, ""))).join(" or ");
}
