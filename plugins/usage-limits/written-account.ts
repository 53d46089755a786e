import { alertsStanding } from "../../core/index.ts";
import type { Account } from "./account.ts";
import { largest } from "./amounts.ts";
import { type Budget, shownAmount } from "./budgets.ts";
import { type AccountDocument, type Untold, untoldIn } from "./kept-account.ts";
import { keptPeriod } from "./kept-period.ts";

/** What a write has crossed: a threshold, the limit, or the end of a period. */
export type Crossed = "threshold" | "exhausted" | "period";

/** What is kept of an account: `same` is its record of this period, `before` any that there is. */
export function documentOf(
  account: Account,
  same: AccountDocument | undefined,
  before: AccountDocument | undefined,
  saidAt: number,
): AccountDocument {
  const { budget, epoch, endsAt, known, edited, leaves } = account;
  // A write that was not answered may have been done.
  const kept = same?.untold?.filter(({ id }) => id !== leaves?.id) ?? [];
  const untold = [...kept, ...(leaves ? [leaves] : [])];
  const left = untoldIn({ untold });
  // What was counted is the same for everybody, and what was not is everybody's own.
  const total = largest(known, same ? BigInt(same.total) - untoldIn(same) : 0n) + left;
  const { version, limit, alert, period } = budget;
  const exhausted = total >= limit;
  const alerted = alert !== undefined && total >= alert;
  return {
    level: budget.level,
    subject: budget.id,
    value_key: budget.policy?.valueKey ?? null,
    type: budget.type,
    epoch,
    total: `${total}`,
    ...(untold.length > 0 && { untold }),
    current_usage: shownAmount(budget.type, total),
    status: exhausted ? "exhausted" : "active",
    threshold_sent: alerted,
    exhausted_sent: exhausted,
    next_reset_at: endsAt === undefined ? null : new Date(endsAt).toISOString(),
    last_reset_at: before?.last_reset_at ?? null,
    ...(total === 0n && (before?.unused ?? !before) && { unused: true }),
    ...(edited && { period: edited }),
    ...(version !== undefined && {
      limits: {
        version,
        saidAt,
        limit: `${limit}`,
        alert: alert === undefined ? null : `${alert}`,
        period: keptPeriod(period),
      },
    }),
  };
}

/**
 * A record whose counter has been told all but `untold`, and said so much then. Somebody who had heard that of the counter may have
 * kept it beside what was still in the list: the total is made anew.
 */
export function withoutTold(
  document: AccountDocument,
  { untold, said, limit }: { readonly untold: readonly Untold[]; readonly said: bigint; readonly limit: bigint },
): AccountDocument {
  const total = largest(BigInt(document.total) - untoldIn(document), said) + untoldIn({ untold });
  const status = total >= limit ? "exhausted" : "active";
  return { ...document, untold, total: `${total}`, current_usage: shownAmount(document.type, total), status };
}

/** What is told now, and was not told yet of the limits there are now. */
export function crossedBy(after: AccountDocument, before: AccountDocument | undefined, budget: Budget): Crossed[] {
  const told = standing(before, before, budget);
  const crossed: Crossed[] = [];
  if (after.threshold_sent && !told.threshold_sent) crossed.push("threshold");
  if (after.exhausted_sent && !told.exhausted_sent) crossed.push("exhausted");
  return crossed;
}

/** Whether what was used since the last write has crossed something, and not the limits that are written with it. */
export const hasRisen = (after: AccountDocument, before: AccountDocument | undefined, budget: Budget): boolean =>
  passes(BigInt(before?.total ?? 0), BigInt(after.total), budget);

/** Whether what is used has come to a limit, or a threshold, between two moments. */
export const passes = (before: bigint, after: bigint, { limit, alert }: Pick<Budget, "limit" | "alert">): boolean =>
  (before < limit && after >= limit) || (alert !== undefined && before < alert && after >= alert);

/** What of the alerts that a record says were told still holds, with what is used and the limits there are now. */
export function standing(
  used: AccountDocument | undefined,
  told: AccountDocument | undefined,
  { limit, alert }: Pick<Budget, "limit" | "alert">,
): Pick<AccountDocument, "threshold_sent" | "exhausted_sent"> {
  const { thresholdAlertSent, exhaustedAlertSent } = alertsStanding({
    used: used ? BigInt(used.total) : 0n,
    limit,
    alert,
    thresholdSent: told?.threshold_sent === true,
    exhaustedSent: told?.exhausted_sent === true,
  });
  return { threshold_sent: thresholdAlertSent, exhausted_sent: exhaustedAlertSent };
}

/** Whether an edit of its limits takes back what was told of an account. */
export function takesBack(document: AccountDocument, budget: Budget): boolean {
  const { threshold_sent, exhausted_sent } = standing(document, document, budget);
  return threshold_sent !== document.threshold_sent || exhausted_sent !== document.exhausted_sent;
}
