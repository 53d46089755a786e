import type { z } from "zod";
import { fits } from "./fits.ts";
import { refuse, shown } from "./refusal.ts";

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
  switch (issue.code) {
    case "invalid_type":
      return articles[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.length === 1 ? shown(issue.values[0]) : `one of ${issue.values.map(shown).join(", ")}`;
    case "too_small":
      return "a list with at least one item";
    default:
      return issue.message;
  }
}

/** The value as its schema describes it. `path` is where it stands in the request. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
  if (fits(schema, value)) return value as z.output<Schema>;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (!issue) refuse(path || "body", "valid", value);
  let found = value;
  let param = path;
  for (const key of issue.path) {
    found = (found as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key];
    param += typeof key === "number" ? `[${key}]` : `${param && "."}${String(key)}`;
  }
  return refuse(param || "body", accepted(issue), found);
}
