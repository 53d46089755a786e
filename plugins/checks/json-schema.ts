import { format, type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { patternOf } from "./patterns.ts";

export interface SchemaMistake {
  /** Where, from the root: `/items/0`. */
  readonly path: string;
  readonly message: string;
}

/** Everything about a value that does not fit. Throws what is wrong with the schema. */
export type SchemaCheck = (value: unknown) => readonly SchemaMistake[];

const largest = 200_000;
const known = new WeakMap<object, SchemaCheck>();

/**
 * A JSON Schema (2020-12), ready to check values. Its patterns are run as those of other checks: what may backtrack without
 * a bound is not left to the platform's engine. Throws for what is no schema.
 */
export function schemaCheck(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  const kept = known.get(schema);
  if (kept) return kept;
  if (JSON.stringify(schema).length > largest) throw new Error(`it is longer than ${largest} characters`);
  const formats = new Map<string, (text: string) => boolean>();
  const validator = new Validator(bounded(schema, formats) as Schema, "2020-12", false);
  const check: SchemaCheck = (value) => {
    // The library knows formats by name only. They are there while it runs, which it does at once.
    for (const [name, test] of formats) format[name] = test;
    try {
      return validator.validate(value).errors.map(mistakeOf);
    } finally {
      for (const name of formats.keys()) delete format[name];
    }
  };
  // Mistakes in it, a reference to nowhere among them, show when it is used.
  check(null);
  known.set(schema, check);
  return check;
}

const mistakeOf = ({ instanceLocation, error }: OutputUnit): SchemaMistake => ({
  path: instanceLocation.replace(/^#/, "") || "/",
  message: error,
});

/** Keywords whose members are schemas by name, and those whose values are no schemas. */
export const byName = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const values = new Set(["const", "enum", "default", "examples", "required", "dependentRequired"]);

/** The schema with patterns that may backtrack without a bound as formats. */
function bounded(schema: unknown, formats: Map<string, (text: string) => boolean>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => bounded(one, formats));
  if (typeof schema !== "object" || schema === null) return schema;
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "patternProperties") for (const name of Object.keys(Object(value))) refuseUnbounded(name);
    if (byName.has(key) && typeof value === "object" && value !== null)
      rest[key] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, bounded(one, formats)]));
    else rest[key] = values.has(key) ? value : bounded(value, formats);
  }
  // The library's pattern for this one backtracks, and the standard has no such format.
  if (rest.format === "url") rest.format = "uri";
  if (typeof rest.pattern !== "string") return rest;
  const { pattern: source, allOf = [], ...others } = rest;
  const pattern = patternOf(`/${source}/u`);
  if (pattern.engine === "native") return rest;
  const name = `pattern ${source}`;
  formats.set(name, (text) => pattern.first(text) !== undefined);
  return { ...others, allOf: [...(Array.isArray(allOf) ? allOf : []), { format: name }] };
}

function refuseUnbounded(source: string): void {
  if (patternOf(`/${source}/u`).engine === "re2" && /\)[*+{]/.test(source))
    throw new Error(`patternProperties: "${source}" repeats a group, which may take without end; write it without`);
}
