import type { z } from "zod";
import { GatewayError } from "../../core/index.ts";

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

/** A 400 that names the field, what it may be and what it was. */
export function refuse(param: string, accepted: string, value: unknown): never {
  const problem =
    value === undefined ? `is required and must be ${accepted}` : `must be ${accepted}, got ${show(value)}`;
  throw new GatewayError("invalid_request", `${param} ${problem}`, { param });
}

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
      return issue.values.length === 1 ? show(issue.values[0]) : `one of ${issue.values.map(show).join(", ")}`;
    case "too_small":
      return "a list with at least one item";
    default:
      return issue.message;
  }
}

/** The value as its schema describes it. `path` is where it stands in the request. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
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
