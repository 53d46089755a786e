/** How often a budget begins anew; absent is never. */
export type Cadence = "monthly" | "weekly" | { readonly days: number };

export interface PeriodRule {
  readonly cadence: Cadence | undefined;
  /** The next reset as it was said, in Unix milliseconds: it takes the place of one date, and days are counted from it. */
  readonly next: number | undefined;
  /** From when days are counted where no date was said. */
  readonly since: number;
  /** The day weeks begin on: 0 is Sunday, for keys, workspaces and providers; 1 Monday, for policies. */
  readonly weekStart: 0 | 1;
}

const day = 86_400_000;
const midnightOf = (moment: number): number => Math.floor(moment / day) * day;

/**
 * When the period of a moment ends, in Unix milliseconds, always at midnight UTC (policies.md section 7); undefined where
 * it never does. Two moments of one period have the same end: it names the period.
 */
export function endOfPeriod({ cadence, next, since, weekStart }: PeriodRule, now: number): number | undefined {
  if (next !== undefined && now < next) return next;
  if (cadence === undefined) return undefined;
  if (cadence === "weekly") return midnightOf(now) + ((7 + weekStart - new Date(now).getUTCDay()) % 7 || 7) * day;
  if (cadence === "monthly") {
    const date = new Date(now);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  }
  const length = cadence.days * day;
  const from = next ?? midnightOf(since);
  return from + (Math.floor((now - from) / length) + 1) * length;
}

/**
 * When the period of a moment began because the one before was over, in Unix milliseconds; undefined in the first one, and
 * where the next date was said, as nobody knows of those before it.
 */
export function lastResetOf(rule: PeriodRule, now: number): number | undefined {
  const { cadence, next, since } = rule;
  if (next !== undefined && now < next) return undefined;
  const began = Math.max(boundaryBefore(rule, now), next ?? 0);
  return began > since && (cadence !== undefined || next !== undefined) ? began : undefined;
}

function boundaryBefore(rule: PeriodRule, now: number): number {
  const { cadence } = rule;
  const end = endOfPeriod(rule, now);
  if (cadence === undefined || end === undefined) return 0;
  if (cadence === "weekly") return end - 7 * day;
  if (cadence === "monthly") {
    const date = new Date(now);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
  return end - cadence.days * day;
}
