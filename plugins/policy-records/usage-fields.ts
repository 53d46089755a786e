import { fields, z } from "../../core/index.ts";
import { conditionList, groups, type KeptGroup, type Mistake, refuseKey } from "./conditions.ts";
import { nextResetAfter, type Period } from "./periods.ts";
import type { UsageDocument } from "./policy-store.ts";

const name = z.string().min(1).max(255).nullable();
const description = z.string().max(500).nullable();
const amount = fields.budgetAmount.min(0);
const periodic_reset = z.enum(["monthly", "weekly"]).nullable();
const periodic_reset_days = z.int().min(1).max(365).nullable();
const type = z.enum(["cost", "tokens", "requests"]);
const enforcement = z.enum(["soft", "hard"]);
const on_store_error = z.enum(["local", "deny"]).nullable();

/** What both kinds of policies say of themselves. */
export const common = {
  name: name.default(null),
  description: description.default(null),
  on_store_error: on_store_error
    .default(null)
    .describe(
      "While the counters cannot be asked: local counts in each process, deny answers 503. Null is as the gateway does.",
    ),
};
/** That a policy is in force, which published examples and records that are sent back say. */
const status = z.literal("active", { error: 'can only be "active": a policy is archived by deleting it' }).optional();

export const commonUpdate = {
  status,
  name: name.optional(),
  description: description.optional(),
  on_store_error: on_store_error.optional(),
};

/** What a body that makes one says besides: whose the policy is to be, and that it is in force. */
export const besides = { workspace_id: z.string().optional(), status };

/** A usage limits policy in a body or in the file (control-plane.md section 13.2). */
export const usageFields = {
  ...common,
  conditions: conditionList,
  group_by: groups,
  type,
  credit_limit: amount.describe("US dollars for cost; 0 lets nothing through."),
  alert_threshold: amount.nullable().default(null),
  periodic_reset: periodic_reset.default(null),
  periodic_reset_days: periodic_reset_days.default(null),
  next_usage_reset_at: fields.midnight.nullable().default(null),
  enforcement: enforcement
    .default("soft")
    .describe("soft: counted when the answer is there. hard: room is made before, so that nothing is overspent."),
};

export const usageUpdate = {
  ...commonUpdate,
  conditions: conditionList.optional(),
  group_by: groups.optional(),
  type: type.optional(),
  credit_limit: amount.optional(),
  alert_threshold: amount.nullable().optional(),
  periodic_reset: periodic_reset.optional(),
  periodic_reset_days: periodic_reset_days.optional(),
  next_usage_reset_at: fields.midnight.nullable().optional(),
  enforcement: enforcement.optional(),
  reset_usage_for_value: z.string().min(1).optional().describe("The value key of a counter to set to zero."),
};

export type UsageChange = z.output<z.ZodObject<typeof usageUpdate>>;

type Limits = Pick<UsageDocument, "conditions" | "credit_limit" | "alert_threshold"> &
  Period & { readonly group_by: readonly KeptGroup[] };

/** Mistakes between the fields of a policy. */
export function usageMistakes(policy: Limits): Mistake[] {
  const { credit_limit, alert_threshold, periodic_reset: reset, periodic_reset_days: days } = policy;
  const mistakes = keyMistakes(policy, "usage");
  if (alert_threshold !== null && alert_threshold >= credit_limit)
    mistakes.push({ path: ["alert_threshold"], message: "must be less than credit_limit" });
  if (reset !== null && days !== null)
    mistakes.push({ path: ["periodic_reset_days"], message: "excludes periodic_reset: give one of them" });
  return mistakes;
}

/** Keys that policies of a kind do not know. */
export function keyMistakes(
  { conditions, group_by }: Pick<Limits, "conditions" | "group_by">,
  kind: Parameters<typeof refuseKey>[1],
): Mistake[] {
  const inList = (list: string, entries: readonly { readonly key: string }[]) =>
    entries.flatMap(({ key }, at) => {
      const message = refuseKey(key, kind);
      return message === undefined ? [] : [{ path: [list, at, "key"], message }];
    });
  return [...inList("conditions", conditions), ...inList("group_by", group_by)];
}

/** The date of the next reset: the given one, which lies ahead, or what the period makes of now. */
export function nextResetOf(period: Period, given: string | null | undefined, now: number): string | null {
  if (given != null) return given;
  const next = nextResetAfter(now, period);
  return next === undefined ? null : new Date(next).toISOString();
}
