import type { z } from "zod";
import { refuse, shown } from "../../core/index.ts";

const articles: Readonly<Record<string, string>> = {
  array: "a list",
  object: "an object",
  record: "an object",
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
};

function accepted(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return articles[issue.expected] ?? issue.expected;
  if (issue.code === "invalid_value") return `one of ${issue.values.map(shown).join(", ")}`;
  return issue.message;
}

/** The value as its schema describes it; a 400 that names the place otherwise. `path` is where it stands. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  let found = value;
  let param = path;
  for (const key of issue?.path ?? []) {
    found = (found as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key];
    param += typeof key === "number" ? `[${key}]` : `${param && "."}${String(key)}`;
  }
  return refuse(param || "body", issue ? accepted(issue) : "valid", found);
}
