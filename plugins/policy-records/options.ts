import { z } from "../../core/index.ts";
import { type Mistake, unresolvedIn } from "./conditions.ts";
import { unmatchedModels } from "./model-values.ts";
import { nextResetOfFile } from "./periods.ts";
import type { RateDocument, UsageDocument } from "./policy-store.ts";
import { keptUnit, rateFields, rateMistakes } from "./rate-fields.ts";
import { workspaceGroup } from "./rates.ts";
import { usageFields, usageMistakes } from "./usage-fields.ts";

const id = z.string().regex(/^[a-zA-Z0-9_-]{1,255}$/, "an id holds letters, digits, _ and - only");
const workspace_id = z.uuid().exactOptional();

const refuse = (mistakes: readonly Mistake[], context: z.core.$RefinementCtx) => {
  for (const { path, message } of mistakes) context.addIssue({ code: "custom", path, message });
};

const usage = z
  .strictObject({ ...usageFields, workspace_id })
  .superRefine((given, context) =>
    refuse([...usageMistakes(given), ...unmatchedModels(given.conditions), ...unresolvedIn(given.conditions)], context),
  );
const rate = z
  .strictObject({ ...rateFields, workspace_id })
  .superRefine((given, context) =>
    refuse([...rateMistakes(given), ...unmatchedModels(given.conditions), ...unresolvedIn(given.conditions)], context),
  );

export const policyOptions = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe("Off: no policy is in force, and those who manage them get 403. ${POLICY_ENABLED:-ON}"),
  usageLimits: z
    .record(id, usage)
    .default({})
    .describe(
      "Budgets by id, with the fields of POST /policies/usage-limits. `workspace_id` is an id; absent: every workspace. " +
        "`periodic_reset_days` are counted from `next_usage_reset_at`, or from 1970-01-01.",
    ),
  rateLimits: z
    .record(id, rate)
    .default({})
    .describe("Rate limits by id, with the fields of POST /policies/rate-limits, and `workspace_id` as above."),
});

type PolicyOptions = z.output<typeof policyOptions>;

const asDate = (moment: number | undefined): string | null =>
  moment === undefined ? null : new Date(moment).toISOString();

const ofFile = { deleted: false, status: "active" } as const;

export const declaredUsage = ({ usageLimits }: PolicyOptions, now: number) =>
  Object.entries(usageLimits).map(([name, given]) => ({
    id: name,
    document: {
      ...given,
      ...ofFile,
      workspace_id: given.workspace_id ?? null,
      next_usage_reset_at: asDate(nextResetOfFile(now, given, given.next_usage_reset_at)),
      last_reset_at: null,
    } satisfies UsageDocument,
  }));

export const declaredRates = ({ rateLimits }: PolicyOptions) =>
  Object.entries(rateLimits).map(([name, given]) => ({
    id: name,
    document: {
      ...given,
      ...ofFile,
      workspace_id: given.workspace_id ?? null,
      group_by: given.group_by ?? workspaceGroup,
      unit: keptUnit(given.unit),
    } satisfies RateDocument,
  }));
