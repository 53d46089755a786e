import { GatewayError } from "../errors/gateway-error.ts";
import type { MetadataSchema } from "../services/organisations.ts";

export type Metadata = Readonly<Record<string, string>>;

/** What a schema says for whoever says nothing. */
export const metadataDefaults = ({ properties = {} }: MetadataSchema): Metadata =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      property.default === undefined ? [] : [[name, property.default] as const],
    ),
  );

/**
 * Metadata with the defaults of its schema filled in; as it was given where there is no schema. Throws 400 AB01 that names
 * each property that is wrong (control-plane.md section 3.3).
 */
export async function fitMetadata<Given extends Metadata | null | undefined>(
  schema: MetadataSchema | null | undefined,
  given: Given,
  param: string,
): Promise<Metadata | Given> {
  if (!schema) return given;
  const metadata = { ...metadataDefaults(schema), ...given };
  const { valid, errors } = await outcome(schema, metadata, { param });
  if (valid) return metadata;
  const problems = errors
    .filter(({ keyword }) => keyword !== "properties")
    .map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#\/?/, "") || "metadata"}: ${error}`);
  throw new GatewayError("record_invalid", `${param}: ${problems.join("; ")}`, { param });
}

/**
 * Throws 400 AB01 for a schema that metadata cannot be held against (a pattern that is none, a reference to nothing), and
 * for one whose defaults it refuses itself.
 */
export async function refuseUnusableSchema(schema: MetadataSchema | null | undefined, param: string): Promise<void> {
  if (!schema) return;
  const texts = Object.fromEntries(Object.keys(schema.properties ?? {}).map((name) => [name, "text"]));
  await outcome(schema, texts, { param, whole: true });
  for (const [name, value] of Object.entries(metadataDefaults(schema))) {
    const { errors } = await outcome(schema, { [name]: value }, { param, whole: true });
    // What is said of the whole is about what else is there.
    const wrong = errors.filter(({ instanceLocation }) => instanceLocation !== "#").map(({ error }) => error);
    if (wrong.length === 0) continue;
    const place = `${param}.properties.${name}.default`;
    const told = `${place}: ${JSON.stringify(value)} is not what the property may be: ${wrong.join(" ")}`;
    throw new GatewayError("record_invalid", `${told} Give a default that it may be, or none.`, { param: place });
  }
}

/** What a schema says of metadata; `whole` looks at all of it, also where something is wrong already. */
async function outcome(
  schema: MetadataSchema,
  metadata: Metadata,
  { param, whole = false }: { readonly param: string; readonly whole?: boolean },
) {
  const { Validator } = await import("@cfworker/json-schema");
  try {
    return new Validator({ ...schema, properties: schema.properties ?? {} }, "7", !whole).validate(metadata);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GatewayError("record_invalid", `${param}: the schema cannot be used: ${why}`, {
      param,
    });
  }
}
