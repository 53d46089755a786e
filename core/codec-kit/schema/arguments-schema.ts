import { type Fields, isRecord } from "../records.ts";

/** Keywords by which a schema says what it describes without a type of its own. */
const combining = ["$ref", "anyOf", "oneOf", "allOf"];

/**
 * The schema of a tool's arguments for vendors that refuse one without `properties`, as tools that take nothing often
 * have it, or without a type.
 */
export function argumentsSchema(schema: Readonly<Fields>): Readonly<Fields> {
  const { type, properties } = schema;
  if (isRecord(properties) && type !== undefined && type !== null) return schema;
  if ((type ?? "object") !== "object" || combining.some((keyword) => schema[keyword] !== undefined)) return schema;
  return { ...schema, type: "object", properties: properties ?? {} };
}
