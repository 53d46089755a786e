import { z } from "../../core/index.ts";

/**
 * What the metadata of keys or workspaces must look like: a JSON Schema of draft 7 for an object that may hold more, with
 * texts as properties (control-plane.md section 3.3).
 */
export const metadataSchema = z
  .looseObject({
    type: z.literal("object"),
    additionalProperties: z.literal(true),
    properties: z
      .record(z.string(), z.looseObject({ type: z.literal("string"), default: z.string().optional() }))
      .optional(),
    required: z.array(z.string()).optional(),
  })
  .refine((schema) => JSON.stringify(schema).length <= most, `may have ${16_384} characters at most`);

export type MetadataSchema = z.output<typeof metadataSchema>;

const most = 16_384;

/** Metadata with the defaults of its schema filled in, and what is wrong with it, property by property. */
export async function fitMetadata(
  schema: MetadataSchema,
  given: Readonly<Record<string, string>>,
): Promise<{ readonly metadata: Readonly<Record<string, string>>; readonly problems: readonly string[] }> {
  const { Validator } = await import("@cfworker/json-schema");
  const defaults = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    property.default === undefined ? [] : [[name, property.default] as const],
  );
  const metadata = { ...Object.fromEntries(defaults), ...given };
  const { valid, errors } = new Validator(schema as never, "7").validate(metadata);
  const problems = errors
    .filter(({ keyword }) => keyword !== "properties")
    .map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#\/?/, "") || "metadata"}: ${error}`);
  return { metadata, problems: valid ? [] : problems };
}
