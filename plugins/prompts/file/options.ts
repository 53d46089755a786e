import { fields, z } from "../../../core/index.ts";
import { universalNames } from "../saved/universal-labels.ts";
import { versionFields } from "../saved/version-fields.ts";

const { functions, tools, tool_choice, is_raw_template, template_metadata, model, version_description } = versionFields;

/** A prompt of the config file, with the fields it has in the management API. */
export const promptOfFile = z.strictObject({
  name: fields.name.optional().describe("Its slug unless said otherwise."),
  string: z
    .union([z.string(), z.array(z.record(z.string(), z.unknown())).min(1)])
    .describe("The template: text, or messages as a list or as JSON."),
  parameters: versionFields.parameters.default({}),
  model: model.default(null),
  virtual_key: versionFields.virtual_key
    .optional()
    .describe("Slug of a provider of the file, where a call names none."),
  functions: functions.default(null),
  tools: tools.default(null),
  tool_choice: tool_choice.default(null),
  is_raw_template: is_raw_template.default(false),
  template_metadata: template_metadata.default({}),
  version_description: version_description.default(null),
  labels: z.array(z.enum(universalNames)).default([]).describe("Labels on its only version."),
});

export const partialOfFile = z.strictObject({
  name: fields.name.optional().describe("Its slug unless said otherwise."),
  string: z.string().describe("The text."),
  version_description: version_description.default(null),
});

/** Slugs of the file are words of its own: they need no prefix. */
export const slugOfFile = z
  .string()
  .max(255)
  .regex(/^[a-zA-Z0-9_-]+$/, { error: "a slug has letters, digits, _ and - only" })
  .refine((slug) => slug !== "partials", { error: "partials is a word of the API, and no slug" });

export const options = z.strictObject({
  prompts: z
    .record(slugOfFile, promptOfFile)
    .default({})
    .describe("Prompts by slug, with the fields of the management API. They are for everybody."),
  partials: z.record(slugOfFile, partialOfFile).default({}).describe("Partials by slug, which these prompts may use."),
  folder: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "A folder of more of them, relative to the config file: `SLUG.yaml` or `SLUG.json`, a prompt each; partials below " +
        "`partials/`. It is read when the gateway starts and when it reloads its config.",
    ),
});

export type PromptOfFile = z.output<typeof promptOfFile>;
export type PartialOfFile = z.output<typeof partialOfFile>;
