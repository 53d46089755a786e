/** How often a budget begins anew. Neither: never. */
export interface Period {
  readonly periodic_reset: "monthly" | "weekly" | null;
  readonly periodic_reset_days: number | null;
}

const day = 86_400_000;
const midnightOf = (moment: number): number => Math.floor(moment / day) * day;

/**
 * When a budget begins anew next, in Unix milliseconds (policies.md section 7): on Monday, on the first of a month, or so
 * many days after today; always at midnight UTC. Undefined where it never does.
 */
export function nextResetAfter(now: number, { periodic_reset, periodic_reset_days }: Period): number | undefined {
  if (periodic_reset_days !== null) return midnightOf(now) + periodic_reset_days * day;
  const date = new Date(now);
  switch (periodic_reset) {
    case "weekly":
      return midnightOf(now) + ((8 - date.getUTCDay()) % 7 || 7) * day;
    case "monthly":
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    default:
      return undefined;
  }
}

/**
 * The same for a policy of the config file, which says the same at every start: days are counted from the date it gives,
 * or from the first of January 1970.
 */
export function nextResetOfFile(now: number, period: Period, given: string | null): number | undefined {
  const date = given === null ? 0 : Date.parse(given);
  if (date > now) return date;
  const days = period.periodic_reset_days;
  if (days === null) return nextResetAfter(now, period);
  return date + (Math.floor((now - date) / (days * day)) + 1) * days * day;
}

/** The dates of a budget at a moment, as they are shown: one that lies behind has come, and the next one follows it. */
export function datesAt(
  now: number,
  period: Period,
  { next, last }: { readonly next: string | null; readonly last: string | null },
): { next_usage_reset_at: string | null; last_reset_at: string | null } {
  if (next === null || Date.parse(next) > now) return { next_usage_reset_at: next, last_reset_at: last };
  const following = nextResetOfFile(now, period, next);
  const came = Math.max(Date.parse(next), following === undefined ? 0 : before(following, period));
  return {
    next_usage_reset_at: following === undefined ? null : new Date(following).toISOString(),
    last_reset_at: new Date(came).toISOString(),
  };
}

function before(reset: number, { periodic_reset, periodic_reset_days }: Period): number {
  if (periodic_reset_days !== null) return reset - periodic_reset_days * day;
  if (periodic_reset === "weekly") return reset - 7 * day;
  const date = new Date(reset);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1);
}
