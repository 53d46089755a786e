import { endOfPeriod, type PeriodRule } from "../../core/index.ts";

/** When a budget begins anew, as it is kept. */
export interface KeptPeriod {
  readonly cadence: NonNullable<PeriodRule["cadence"]> | null;
  /** Unix milliseconds. */
  readonly next: number | null;
  readonly since: number;
  readonly weekStart: PeriodRule["weekStart"];
}

/** A period as an edit has set it. The latest edit counts, whoever tells of it. */
export interface EditedPeriod extends KeptPeriod {
  /** ISO 8601. */
  readonly setAt: string;
}

export const keptPeriod = ({ cadence, next, since, weekStart }: PeriodRule): KeptPeriod => ({
  cadence: cadence ?? null,
  next: next ?? null,
  since,
  weekStart,
});

export const editedPeriod = (rule: PeriodRule, now: number): EditedPeriod => ({
  ...keptPeriod(rule),
  setAt: new Date(now).toISOString(),
});

export const ruleOf = ({ cadence, next, since, weekStart }: KeptPeriod): PeriodRule => ({
  cadence: cadence ?? undefined,
  next: next ?? undefined,
  since,
  weekStart,
});

/** Whether two rules end the period of a moment, and all after it, at the same time. The next date is another at each start. */
export const endsAlike = (one: PeriodRule, other: PeriodRule, now: number): boolean =>
  JSON.stringify(one.cadence) === JSON.stringify(other.cadence) && endOfPeriod(one, now) === endOfPeriod(other, now);
