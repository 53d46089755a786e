import { z } from "zod";
import type { Brought, Plugin } from "../plugin.ts";
import type { ProviderDefinition } from "../provider-kit/index.ts";
import { serverSchema } from "./server-settings.ts";
import { closedObjects } from "./stray-keys.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A GatewayConfig is one of these, and so is a list of all modules there are. */
export interface SchemaModules {
  readonly plugins: readonly { readonly name: string; readonly plugin: Pick<Plugin, "summary" | "options"> }[];
  /** What the plugins bring that is named in options of others. */
  readonly brought?: readonly Brought[];
  readonly providers: readonly {
    readonly slug: string;
    readonly definition: Pick<ProviderDefinition, "summary" | "options">;
  }[];
}

const settings = { io: "input", unrepresentable: "any", target: "draft-2020-12" } as const;

/** What a schema accepts in the file, as JSON Schema; references not yet allowed for. */
export const inputSchema = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, settings);

/** The same of a file, in which keys that a plain `z.object` would drop are mistakes. */
function fileSchema(schema: z.ZodType): JsonSchema {
  const closed = closedObjects(schema);
  return z.toJSONSchema(schema, {
    ...settings,
    override({ zodSchema, jsonSchema }) {
      if (closed.has(zodSchema)) jsonSchema.additionalProperties = false;
    },
  });
}

/** The JSON Schema of a config file with these modules: what editors complete and check with. */
export function jsonSchemaOf({ plugins, providers, brought = [] }: SchemaModules): Record<string, unknown> {
  const optionsOf = (modules: readonly (readonly [string, z.ZodType])[]) =>
    z.strictObject(Object.fromEntries(modules.map(([name, options]) => [name, options.optional()])));
  // One conversion of the whole, since each conversion numbers its definitions from the root.
  const whole = fileSchema(
    z.strictObject({
      $schema: z.string().optional().describe("Where editors find the schema of this file."),
      server: serverSchema.nullish().describe("The gateway itself: where it listens and its limits."),
      plugins: optionsOf(plugins.map(({ name, plugin }) => [name, plugin.options])),
      providers: optionsOf(providers.map(({ slug, definition }) => [slug, definition.options])),
    }),
  );
  const { required: _, ...withoutRequired } = whole;
  const { plugins: pluginsSchema, providers: providersSchema, ...properties } = propertiesOf(whole);
  const withReferences = acceptReferences({ ...withoutRequired, properties });
  const summaries = (list: readonly (readonly [string, string])[]) => new Map(list);
  const checks = brought.filter(({ kind }) => kind === "check");
  return plainCopy({
    ...withReferences,
    ...(checks.length > 0 && { $defs: { ...(withReferences.$defs ?? {}), checks: checksById(checks) } }),
    title: "Sluice gateway configuration",
    properties: {
      ...propertiesOf(withReferences),
      plugins: {
        description: "What the gateway does, in this order. The key is the plugin's name, the value its options.",
        ...entries(pluginsSchema, summaries(plugins.map(({ name, plugin }) => [name, plugin.summary]))),
      },
      providers: {
        description: "Whom the gateway calls. The key is the slug clients use, the value the provider's options.",
        ...entries(providersSchema, summaries(providers.map(({ slug, definition }) => [slug, definition.summary]))),
      },
    },
  });
}

/** What the parameters of a check have to be, by its id. */
const checksById = (checks: readonly Brought[]): JsonSchema => ({
  properties: { id: { examples: checks.map(({ name }) => name) } },
  allOf: checks.map(({ name, summary, options }) => {
    const { $schema: _, ...parameters } = acceptReferences(inputSchema(options));
    return {
      if: { properties: { id: { const: name } }, required: ["id"] },
      // biome-ignore lint/suspicious/noThenProperty: the word is JSON Schema's.
      then: { description: summary, properties: { parameters: { ...parameters, additionalProperties: true } } },
    };
  }),
});

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  const found = Object.entries(schema.properties ?? {});
  return Object.fromEntries(found.filter((entry): entry is [string, JsonSchema] => isSchema(entry[1])));
}

const use: JsonSchema = {
  type: "string",
  minLength: 1,
  description: "The module to load: a built-in name, a path relative to this file, or an installed package.",
};

/** The section: the given modules by name, and any other name with `use`. */
function entries(section: JsonSchema | undefined, summaries: ReadonlyMap<string, string>): JsonSchema {
  const modules = Object.entries(section ? propertiesOf(section) : {}).map(([name, options]) => [
    name,
    entry(acceptReferences(options), summaries.get(name) ?? ""),
  ]);
  const map: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(modules),
    additionalProperties: { type: "object", properties: { use }, required: ["use"] },
  };
  return { anyOf: [map, { type: "null" }] };
}

function entry(options: JsonSchema, description: string): JsonSchema {
  const withUse = options.type === "object" ? { ...options, properties: { use, ...options.properties } } : options;
  // `my-plugin:` with nothing after it is the plugin with its defaults.
  const nullable = (options.required ?? []).length === 0;
  return nullable ? { description, anyOf: [withUse, { type: "null" }] } : { ...withUse, description };
}

const reference: JsonSchema = {
  type: "string",
  pattern: "\\$\\{[A-Za-z_]",
  description: `The value of an environment variable: \${NAME} or \${NAME:-default}.`,
};

const annotations = new Set(["description", "default", "title", "examples", "deprecated", "$schema", "$defs", "id"]);
const constraining = ["enum", "const", "format", "pattern", "minLength", "maxLength", "contentEncoding"];

/** Wherever a text is not accepted anyway, a text with a reference is accepted too. */
function acceptReferences(given: JsonSchema): JsonSchema {
  const { brought, ...schema } = given as JsonSchema & { readonly brought?: unknown };
  const inner = mapInner(schema, acceptReferences);
  if (brought === "check") return { ...inner, $ref: "#/$defs/checks" };
  const { oneOf, ...rest } = inner;
  // Two forms may both accept a reference, and then exactly one would be one too few.
  if (oneOf) return { ...rest, anyOf: oneOf };
  const refuses =
    ["number", "integer", "boolean", "array"].includes(String(inner.type)) ||
    constraining.some((keyword) => keyword in inner);
  if (!refuses || inner.type === "object") return inner;
  const keywords = Object.entries(inner);
  return {
    ...Object.fromEntries(keywords.filter(([keyword]) => annotations.has(keyword))),
    anyOf: [Object.fromEntries(keywords.filter(([keyword]) => !annotations.has(keyword))), reference],
  };
}

const maps = ["properties", "$defs", "patternProperties"] as const;
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;
const singles = ["items", "additionalProperties"] as const;

function mapInner(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const changed: Record<string, unknown> = { ...schema };
  const changeOne = (value: unknown) => (isSchema(value) ? change(value) : value);
  for (const keyword of maps) {
    const inner = schema[keyword];
    if (!isSchema(inner)) continue;
    changed[keyword] = Object.fromEntries(Object.entries(inner).map(([name, value]) => [name, changeOne(value)]));
  }
  for (const keyword of lists) {
    const inner = schema[keyword];
    if (Array.isArray(inner)) changed[keyword] = inner.map(changeOne);
  }
  for (const keyword of singles) if (keyword in schema) changed[keyword] = changeOne(schema[keyword]);
  return changed;
}

/** Without what JSON cannot say: undefined members, and zod's own non-enumerable ones. */
const plainCopy = (value: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(value));
