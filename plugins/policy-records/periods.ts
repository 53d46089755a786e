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
