import { z } from "../../core/index.ts";
import { actionsField } from "./actions.ts";
import { checkShape } from "./checks.ts";

const declared = z.strictObject({
  name: z.string().min(1).max(255).exactOptional(),
  checks: z.array(checkShape).min(1),
  actions: actionsField.default(actionsField.parse({})),
});

export type DeclaredGuardrail = z.output<typeof declared>;

export const guardrailOptions = z.strictObject({
  guardrails: z
    .record(z.string().regex(/^[a-zA-Z0-9_-]{1,255}$/, "a slug holds letters, digits, _ and - only"), declared)
    .default({})
    .describe("Guardrails by slug, with the fields of POST /guardrails, for every workspace."),
});
