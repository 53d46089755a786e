import { GatewayError, type z } from "../../core/index.ts";

/** What a schema makes of a value. Throws AB01, naming each field that is wrong. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: "body" | "query",
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const [first] = issues;
  const named = issues.slice(0, most).map(({ path, message }) => `${placeOf(path) || `the ${where}`}: ${message}`);
  const more = issues.length > most ? `, and ${issues.length - most} more` : "";
  throw new GatewayError("record_invalid", `${named.join("; ")}${more}`, {
    param: placeOf(first?.path ?? []) || where,
    errors: issues.map(({ path, message }) => `path: ${placeOf(path)}, message: ${message}`),
  });
}

/** Mistakes named in one message. */
const most = 5;

/** `targets[1].virtual_key`. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path.map((step, at) => (typeof step === "number" ? `[${step}]` : `${at > 0 ? "." : ""}${String(step)}`)).join("");
