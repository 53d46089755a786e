import { isRecord } from "../../core/provider-kit/index.ts";

/** Keywords whose value is a schema by name: those names are the author's, and no keywords. */
const byName: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
/** Keywords whose value is data, whatever it looks like. */
const data: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "examples"]);

/** A schema in which alternatives say their types themselves: "type should be defined in anyOf items instead of the parent schema". */
export function typedAlternatives(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(typedAlternatives);
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(Object.entries(typedItself(schema)).map(([name, value]) => [name, within(name, value)]));
}

function typedItself(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, anyOf, ...rest } = schema;
  if (type === undefined || !Array.isArray(anyOf)) return schema;
  return { ...rest, anyOf: anyOf.map((one) => (isRecord(one) && one.type === undefined ? { type, ...one } : one)) };
}

function within(keyword: string, value: unknown): unknown {
  if (data.has(keyword)) return value;
  if (!byName.has(keyword) || !isRecord(value)) return typedAlternatives(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typedAlternatives(one)]));
}

/** A tool whose parameters are such a schema. */
export const typedTool = (tool: unknown): unknown =>
  isRecord(tool) && isRecord(tool.function) && tool.function.parameters !== undefined
    ? { ...tool, function: { ...tool.function, parameters: typedAlternatives(tool.function.parameters) } }
    : tool;
