import { isRecord } from "../../core/provider-kit/index.ts";

type Fields = Readonly<Record<string, unknown>>;

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

/** A JSON schema without `propertyNames`; `found` is called for each. The argument is left as it is. */
function withoutNames(schema: unknown, found: () => void): unknown {
  if (Array.isArray(schema)) return schema.map((one) => withoutNames(one, found));
  if (!isRecord(schema)) return schema;
  const kept: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "propertyNames") found();
    else if (data.has(keyword)) kept[keyword] = value;
    else if (byName.has(keyword) && isRecord(value))
      kept[keyword] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutNames(one, found)]));
    else kept[keyword] = withoutNames(value, found);
  }
  return kept;
}

/** Gemma refuses schemas that say how properties are named (providers.md section 9.11). */
export const forGemma = {
  when: ['"propertyNames"'],
  apply(wire: Fields, report?: (dropped: string) => void): Record<string, unknown> {
    const { model, tools } = wire;
    if (typeof model !== "string" || !model.includes("gemma") || !Array.isArray(tools)) return { ...wire };
    const found = () => report?.("tools.propertyNames");
    return { ...wire, tools: tools.map((tool) => toolWithout(tool, found)) };
  },
};

/** Tools say their parameters in `function`, or, in the Responses API, themselves. */
function toolWithout(tool: unknown, found: () => void): unknown {
  if (!isRecord(tool)) return tool;
  const { function: inner, parameters } = tool;
  return {
    ...tool,
    ...(isRecord(inner) && { function: toolWithout(inner, found) }),
    ...(parameters !== undefined && { parameters: withoutNames(parameters, found) }),
  };
}
