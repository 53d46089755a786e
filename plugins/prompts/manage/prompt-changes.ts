import { fields, GatewayError, z } from "../../../core/index.ts";
import type { PromptVersionDocument } from "../saved/documents.ts";
import { versionFields } from "../saved/version-fields.ts";

/** What a version says, without whose it is. */
export type NewVersion = Omit<PromptVersionDocument, "of" | "slug" | "deleted" | "workspace_id" | "virtual_key">;

const optional = z.object(versionFields).partial().shape;

/** The body of a change (control-plane.md section 12.4). */
export const promptChanges = z.object({
  name: fields.name.optional(),
  collection_id: z.string().min(1).optional(),
  patch: z.boolean().optional().describe("Whether what is missing is as in the latest version."),
  ...optional,
  prompt_metadata: optional.template_metadata.describe("The same as template_metadata."),
});

type Body = z.output<typeof promptChanges>;
type VersionInput = Pick<Body, keyof typeof versionFields | "prompt_metadata">;

/** What makes a new version of it. */
const content = [
  "string",
  "parameters",
  "model",
  "functions",
  "tools",
  "tool_choice",
  "is_raw_template",
  "prompt_metadata",
  "template_metadata",
] as const;

/** What a whole version cannot do without. */
const whole = ["string", "parameters", "model"] as const;

/** Whether a change makes a new version. Throws where it would be one with a part missing. */
export function makesVersion(body: Body, sent: ReadonlySet<string>): boolean {
  const changed = content.some((field) => sent.has(field));
  if (body.patch) return changed || sent.has("virtual_key") || sent.has("version_description");
  const missing = changed ? whole.find((field) => !sent.has(field)) : undefined;
  if (missing === undefined) return changed;
  throw new GatewayError(
    "record_invalid",
    `${missing}: is missing. A new version is sent whole, with ${whole.join(", ")}, or with patch: true.`,
    { param: missing },
  );
}

/** A version as it is kept: what is not given is as in `base`, or as it usually is. */
export const newVersion = (given: VersionInput, base?: NewVersion): NewVersion => ({
  string: given.string ?? base?.string ?? "",
  parameters: given.parameters ?? base?.parameters ?? {},
  model: given.model === undefined ? (base?.model ?? null) : given.model,
  functions: given.functions === undefined ? (base?.functions ?? null) : given.functions,
  tools: given.tools === undefined ? (base?.tools ?? null) : given.tools,
  tool_choice: given.tool_choice === undefined ? (base?.tool_choice ?? null) : given.tool_choice,
  is_raw_template: given.is_raw_template ?? base?.is_raw_template ?? false,
  template_metadata: given.template_metadata ?? given.prompt_metadata ?? base?.template_metadata ?? {},
  description: given.version_description === undefined ? (base?.description ?? null) : given.version_description,
});
