import { type GuardrailActions, z } from "../../core/index.ts";

/** What a guardrail says of an outcome: a value for its feedback, and how much it counts. */
const feedback = z.object({
  value: z.number().min(-10).max(10),
  weight: z.number().min(0).max(1).default(1),
  metadata: z
    .union([
      z.record(z.string(), z.unknown()),
      z.string().transform((text): string | Record<string, unknown> => mapIn(text) ?? text),
    ])
    .default(""),
});

function mapIn(text: string): Record<string, unknown> | undefined {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const outcome = z.object({ feedback: feedback.optional() });
const onFail = z.union([outcome, z.enum(["deny", "block", "log", "warn", "continue"])]).optional();
const onSuccess = z.union([outcome, z.literal("continue")]).optional();

/** Actions in a body, with the spellings of older clients: `onFail: "block"` denies, as `deny: true` does. */
export const actionsField = z
  .object({
    deny: z.boolean().optional(),
    async: z.boolean().default(false),
    sequential: z.boolean().default(false),
    soft_deny_200: z.boolean().default(false),
    streams: z.enum(["buffer", "verdict"]).optional(),
    on_success: onSuccess,
    onSuccess,
    on_fail: onFail,
    onFail,
  })
  .transform(({ on_success, onSuccess, on_fail, onFail, deny, ...switches }): GuardrailActions => {
    const failed = on_fail ?? onFail;
    return {
      deny: deny ?? (failed === "deny" || failed === "block"),
      ...switches,
      on_success: { feedback: feedbackOf(on_success ?? onSuccess) ?? { value: 5, weight: 1, metadata: "" } },
      on_fail: { feedback: feedbackOf(failed) ?? { value: -5, weight: 1, metadata: "" } },
    };
  });

const feedbackOf = (said: string | z.output<typeof outcome> | undefined) =>
  typeof said === "object" ? said.feedback : undefined;
