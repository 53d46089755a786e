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

const most = 16_384;
