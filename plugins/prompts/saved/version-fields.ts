import { fields, z } from "../../../core/index.ts";
import { deepestJson, isDeeperThan } from "../template/values.ts";

const shallow = [
  (value: unknown) => !isDeeperThan(deepestJson, value),
  `may not be nested more than ${deepestJson} deep`,
] as const;

const object = z.record(z.string(), z.unknown()).refine(...shallow);
const objects = z.array(object).nullable();

export const templateMetadata = z
  .looseObject({
    template_type: z.enum(["chat", "completion"]).optional().describe("What the template renders to; chat."),
    strict_variables: z.boolean().optional().describe("Whether a variable that is missing is a mistake."),
  })
  .refine(...shallow);

/** What a version of a prompt consists of, as it is written (control-plane.md section 12.2). */
export const versionFields = {
  string: z.string().describe("The template: messages as JSON, or text."),
  parameters: object.describe("Parameters of the request."),
  model: z.string().nullable().describe("The model, or `@provider/model`."),
  virtual_key: z.string().min(1).describe("Slug of the provider, where a call names none."),
  functions: objects,
  tools: objects,
  tool_choice: z.union([object, z.string()]).nullable(),
  is_raw_template: z
    .union([z.literal(0), z.literal(1), z.boolean()])
    .transform(Boolean)
    .describe("Whether the template is rendered before it is read as JSON."),
  template_metadata: templateMetadata,
  version_description: fields.description,
};
