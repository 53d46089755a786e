import { compact, type GuardrailFeedback, z } from "../../../core/index.ts";

/** A guardrail as a config writes it out, in the gateway's own spelling. */
export interface HookSpec {
  readonly id: string;
  readonly type: "guardrail" | "mutator";
  readonly checks: readonly CheckSpec[];
  readonly deny: boolean;
  readonly async: boolean;
  readonly sequential: boolean;
  readonly softDeny: boolean;
  /** What is done about streams that have to be there whole: put together first, or reported on when they are over. */
  readonly streams?: "buffer" | "verdict" | undefined;
  readonly onSuccess?: GuardrailFeedback | undefined;
  readonly onFail?: GuardrailFeedback | undefined;
  /** By family of checks. */
  readonly credentials?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

/** A kept guardrail, as a config names it. */
export interface NamedGuardrail {
  /** Its id or slug. */
  readonly ref: string;
  /** The id of one of its versions; absent, the newest. */
  readonly version?: string;
  /** What the config says beside, which wins over what the guardrail says itself. */
  readonly said?: Partial<HookSpec>;
}

export interface CheckSpec {
  readonly id: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
}

const feedback = z.object({
  value: z.number().min(-10).max(10),
  weight: z.number().min(0).max(1).default(1),
  metadata: z.union([z.string(), z.record(z.string(), z.unknown())]).default(""),
});
const outcome = z.union([z.object({ feedback: feedback.optional() }), z.string()]).optional();

/** The fields of a hook that are no checks, in either spelling. */
export const hookFields = z.object({
  id: z.string().min(1).optional(),
  type: z.enum(["guardrail", "mutator"]).optional(),
  deny: z.boolean().optional(),
  async: z.boolean().optional(),
  sequential: z.boolean().optional(),
  soft_deny_200: z.boolean().optional(),
  softDeny200: z.boolean().optional(),
  streams: z.enum(["buffer", "verdict"]).optional(),
  guardrail_version_id: z.string().optional(),
  guardrailVersionId: z.string().optional(),
  on_success: outcome,
  onSuccess: outcome,
  on_fail: outcome,
  onFail: outcome,
  credentials: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});

export const hookFieldNames: ReadonlySet<string> = new Set(Object.keys(hookFields.shape));

/** Older spellings of what to do with a failure (guardrails.md section 1.2). */
const denying = new Set(["deny", "block"]);

export function hookSpec(
  given: z.output<typeof hookFields>,
  id: string,
  type: HookSpec["type"],
  checks: readonly CheckSpec[],
): HookSpec {
  return {
    id,
    type,
    checks,
    deny: false,
    async: false,
    sequential: false,
    softDeny: false,
    ...saidIn(given),
  };
}

/** A hook without checks of its own stands for the kept guardrail of its id. */
export function namedGuardrail(ref: string, given: z.output<typeof hookFields>): string | NamedGuardrail {
  const version = given.guardrail_version_id ?? given.guardrailVersionId;
  const said = saidIn(given);
  const isPlain = Object.keys(said).length === 0;
  if (isPlain && version === undefined) return ref;
  return { ref, ...(version !== undefined && { version }), ...(!isPlain && { said }) };
}

/** What a hook says of anything but its checks. */
function saidIn(given: z.output<typeof hookFields>): Partial<HookSpec> {
  const failed = given.on_fail ?? given.onFail;
  return compact({
    deny: given.deny ?? (typeof failed === "string" ? denying.has(failed) : undefined),
    async: given.async,
    sequential: given.sequential,
    softDeny: given.soft_deny_200 || given.softDeny200,
    streams: given.streams,
    onSuccess: feedbackOf(given.on_success ?? given.onSuccess),
    onFail: feedbackOf(failed),
    credentials: given.credentials,
  });
}

const feedbackOf = (said: z.output<typeof outcome>): GuardrailFeedback | undefined =>
  typeof said === "object" ? said.feedback : undefined;
