import { endOfPeriod, lastResetOf, type PeriodRule } from "../../core/index.ts";

/** How often a budget begins anew. Neither: never. */
export interface Period {
  readonly periodic_reset: "monthly" | "weekly" | null;
  readonly periodic_reset_days: number | null;
}

/** Weeks of policies begin on Monday (policies.md section 7). */
const ruleOf = (
  { periodic_reset, periodic_reset_days: days }: Period,
  next: number | undefined,
  since: number,
): PeriodRule => ({
  cadence: days === null ? (periodic_reset ?? undefined) : { days },
  next,
  since,
  weekStart: 1,
});

/** When a budget begins anew next, in Unix milliseconds; days are counted from today. Undefined where it never does. */
export const nextResetAfter = (now: number, period: Period): number | undefined =>
  endOfPeriod(ruleOf(period, undefined, now), now);

/**
 * The same for a policy of the config file, which says the same at every start: days are counted from the date it gives,
 * or from the first of January 1970.
 */
export const nextResetOfFile = (now: number, period: Period, given: string | null): number | undefined =>
  endOfPeriod(ruleOf(period, given === null ? undefined : Date.parse(given), 0), now);

/** The dates of a budget at a moment, as they are shown: one that lies behind has come, and the next one follows it. */
export function datesAt(
  now: number,
  period: Period,
  { next, last }: { readonly next: string | null; readonly last: string | null },
): { next_usage_reset_at: string | null; last_reset_at: string | null } {
  if (next === null || Date.parse(next) > now) return { next_usage_reset_at: next, last_reset_at: last };
  const rule = ruleOf(period, Date.parse(next), 0);
  return { next_usage_reset_at: dateText(endOfPeriod(rule, now)), last_reset_at: dateText(lastResetOf(rule, now)) };
}

const dateText = (moment: number | undefined): string | null =>
  moment === undefined ? null : new Date(moment).toISOString();
