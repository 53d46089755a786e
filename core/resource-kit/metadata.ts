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
  const { Validator } = await import("@cfworker/json-schema");
  const metadata = { ...metadataDefaults(schema), ...given };
  const { valid, errors } = new Validator({ ...schema, properties: schema.properties ?? {} }, "7").validate(metadata);
  if (valid) return metadata;
  const problems = errors
    .filter(({ keyword }) => keyword !== "properties")
    .map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#\/?/, "") || "metadata"}: ${error}`);
  throw new GatewayError("record_invalid", `${param}: ${problems.join("; ")}`, { param });
}
