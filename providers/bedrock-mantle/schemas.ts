import { isRecord, schemasWithin } from "../../core/provider-kit/index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A JSON schema without `propertyNames`; `found` is called for each. */
const withoutNames = (schema: unknown, found: () => void): unknown =>
  schemasWithin(schema, (one) => {
    if (!("propertyNames" in one)) return one;
    found();
    const { propertyNames: _, ...rest } = one;
    return rest;
  });

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
