import { isRecord, schemasWithin } from "../../core/provider-kit/index.ts";

/** Alternatives say their types themselves: "type should be defined in anyOf items instead of the parent schema". */
function typedItself(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, anyOf, ...rest } = schema;
  if (type === undefined || !Array.isArray(anyOf)) return schema;
  return { ...rest, anyOf: anyOf.map((one) => (isRecord(one) && one.type === undefined ? { type, ...one } : one)) };
}

/** A tool with a schema for its parameters in which they do. */
export const typedTool = (tool: unknown): unknown =>
  isRecord(tool) && isRecord(tool.function) && tool.function.parameters !== undefined
    ? { ...tool, function: { ...tool.function, parameters: schemasWithin(tool.function.parameters, typedItself) } }
    : tool;
