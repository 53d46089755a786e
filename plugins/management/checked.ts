import { type ErrorDetails, GatewayError, suggestion, z } from "../../core/index.ts";

/** What a schema makes of a value. Throws AB01, naming each field that is wrong. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: "body" | "query",
  besides: Pick<ErrorDetails, "status"> = {},
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const issues = parsed.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? unknown(issue.keys, known) : told([issue]),
  );
  const [first] = issues;
  const named = issues.slice(0, most).map(({ path, message }) => `${placeOf(path) || `the ${where}`}: ${message}`);
  const more = issues.length > most ? `, and ${issues.length - most} more` : "";
  throw new GatewayError("record_invalid", `${named.join("; ")}${more}`, {
    ...besides,
    param: placeOf(first?.path ?? []) || where,
    errors: issues.map(({ path, message }) => `path: ${placeOf(path)}, message: ${message}`),
  });
}

interface Mistake {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Names that mean nothing at the top, where a schema takes no others than its own. */
const unknown = (names: readonly string[], known: readonly string[]): Mistake[] =>
  names.map((name) => ({ path: [name], message: `unknown; ${suggestion(name, known, "names")}` }));

/** What is wrong, by its innermost place: of a union that means the member the value was meant to be. */
function told(issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[] = []): Mistake[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    const meant =
      issue.code === "invalid_union"
        ? issue.errors.find((of) => of.length > 0 && !of.some(isOfAnotherType))
        : undefined;
    if (meant) return told(meant, path);
    return [{ path, message: issue.code === "invalid_union" ? noneOf(issue) : issue.message }];
  });
}

/** What would have been right, where a value is no member of a union at all. */
function noneOf({ errors, message }: z.core.$ZodIssueInvalidUnion): string {
  const first = errors.flatMap(([issue]) => issue ?? []);
  const wanted = first.flatMap((issue) => {
    if (issue.code === "invalid_value") return issue.values.map((value) => JSON.stringify(value));
    return issue.code === "invalid_type" ? [issue.expected === "record" ? "object" : issue.expected] : [];
  });
  if (wanted.length === 0) return message;
  const [received = ""] = /, received \w+$/.exec(first.at(-1)?.message ?? "") ?? [];
  return `${message}: expected ${[...new Set(wanted)].join(" or ")}${received}`;
}

/** The value is no such member of a union at all. */
const isOfAnotherType = ({ code, path }: z.core.$ZodIssue): boolean =>
  path.length === 0 && (code === "invalid_type" || code === "invalid_value");

/** Mistakes named in one message. */
const most = 5;

/** `targets[1].virtual_key`. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path.map((step, at) => (typeof step === "number" ? `[${step}]` : `${at > 0 ? "." : ""}${String(step)}`)).join("");
