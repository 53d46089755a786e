import { isRecord } from "../../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/** What may stand beside alternatives here (providers.md section 7.5). */
const beside: ReadonlySet<string> = new Set(["anyOf", "nullable", "description"]);

/** A schema whose alternatives stand alone: this host refuses whatever else is said beside them. */
function alone(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(alone);
  if (!isRecord(schema)) return schema;
  const kept = Array.isArray(schema.anyOf) ? Object.entries(schema).filter(([name]) => beside.has(name)) : undefined;
  return Object.fromEntries(
    (kept ?? Object.entries(schema)).map(([name, value]) => [
      name,
      name === "properties" ? eachAlone(value) : alone(value),
    ]),
  );
}

/** Names of properties are the client's: one of them may be `anyOf`. */
const eachAlone = (properties: unknown): unknown =>
  isRecord(properties)
    ? Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, alone(value)]))
    : properties;

const declared = (tool: unknown): unknown =>
  isRecord(tool) && Array.isArray(tool.functionDeclarations)
    ? { ...tool, functionDeclarations: tool.functionDeclarations.map(withParameters) }
    : tool;

const withParameters = (one: unknown): unknown =>
  isRecord(one) && one.parameters !== undefined ? { ...one, parameters: alone(one.parameters) } : one;

/** Schemas of tools and of the answer, where they are in the vendor's own subset. */
export const lonelyAlternatives = {
  when: ['"anyOf"'],
  apply(wire: Wire): Record<string, unknown> {
    const { tools, generationConfig: config } = wire;
    return {
      ...wire,
      ...(Array.isArray(tools) && { tools: tools.map(declared) }),
      ...(isRecord(config) &&
        config.responseSchema !== undefined && {
          generationConfig: { ...config, responseSchema: alone(config.responseSchema) },
        }),
    };
  },
};
