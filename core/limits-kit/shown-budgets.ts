import type { Limited, UsageLimits } from "../model/limited.ts";
import type { BudgetsService, BudgetUsage } from "../services/budgets.ts";

/** A budget as the API shows it (control-plane.md section 1.11); without what is used of it where nobody counts. */
export type ShownBudget = UsageLimits & {
  readonly current_usage?: number;
  readonly status?: BudgetUsage["status"];
  readonly last_reset_at?: string | null;
  readonly is_threshold_alerts_sent?: boolean;
  readonly is_exhausted_alerts_sent?: boolean;
};

/** The budgets of one thing. */
export interface ShownBudgets {
  readonly usage: readonly ShownBudget[];
  /** Whether one of them is used up. */
  readonly isExhausted: boolean;
  /** When what is used was last set to zero: by hand, or as a period was over. ISO 8601. */
  readonly lastResetAt: string | null;
}

/** Each of several things of an organisation with its budgets: what was used of them is asked for once. */
export async function shownBudgets<Thing>(
  budgets: BudgetsService | undefined,
  organisation: string,
  things: readonly Thing[],
  limitedOf: (thing: Thing) => Limited,
): Promise<(readonly [Thing, ShownBudgets])[]> {
  const limited = things.map((thing) => [thing, limitedOf(thing)] as const);
  const known = await budgets?.usageOf(
    organisation,
    limited.map(([, one]) => one),
  );
  return limited.map(([thing, one]) => [thing, shownOf(one, known && (known.get(one) ?? []))] as const);
}

function shownOf(thing: Limited, known: readonly BudgetUsage[] | undefined): ShownBudgets {
  const { resetAt = null, usage } = thing;
  if (!known) return { usage, isExhausted: false, lastResetAt: resetAt };
  return {
    usage: usage.map((limits) =>
      withUsage(
        limits,
        known.find(({ type }) => type === limits.type),
        resetAt,
      ),
    ),
    isExhausted: known.some(({ status }) => status === "exhausted"),
    lastResetAt: known[0]?.lastResetAt ?? resetAt,
  };
}

/** A budget without a limit is never used up, and nothing is counted for it. */
const withUsage = (limits: UsageLimits, usage: BudgetUsage | undefined, resetAt: string | null): ShownBudget => ({
  ...limits,
  next_usage_reset_at: usage ? usage.nextResetAt : limits.next_usage_reset_at,
  current_usage: usage?.currentUsage ?? 0,
  status: usage?.status ?? "active",
  last_reset_at: usage ? usage.lastResetAt : resetAt,
  is_threshold_alerts_sent: usage?.thresholdAlertSent ?? false,
  is_exhausted_alerts_sent: usage?.exhaustedAlertSent ?? false,
});
