import type { AuditTrailService, Counter, Logger, NotificationsService } from "../../core/index.ts";
import type { Account } from "./account.ts";
import { shownAmount } from "./budgets.ts";
import type { Crossed } from "./written-account.ts";

export interface AlertSinks {
  readonly notifications: NotificationsService | undefined;
  readonly trail: AuditTrailService | undefined;
  readonly counter: Counter | undefined;
  readonly log: Logger;
}

/** Tells that a budget has crossed its threshold or its limit (policies.md section 8.2), or that its period has ended (section 7). */
export const alerting =
  ({ notifications, trail, counter, log }: AlertSinks) =>
  (account: Account, what: Crossed): void => {
    const { budget, group, workspace, endsAt, known } = account;
    const { level, id, subject, type, limit, alert, policy } = budget;
    const event = events[what];
    const data = {
      level,
      type,
      credit_limit: shownAmount(type, limit),
      alert_threshold: alert === undefined ? null : shownAmount(type, alert),
      current_usage: shownAmount(type, known),
      ...(policy && { value_key: policy.valueKey }),
      resets_at: endsAt === undefined ? null : new Date(endsAt).toISOString(),
    };
    const noted = {
      organisation: group,
      workspace,
      resource: resources[level],
      subject: id,
      details: { event, ...data },
    };
    if (what === "period") return trail?.event({ ...noted, action: "reset" });
    counter?.add(1, event, level);
    log.warn(what === "threshold" ? "a budget is used up to its threshold" : "a budget is used up", {
      subject,
      ...data,
    });
    notifications?.notify({
      event: events[what],
      organisation: group,
      workspace,
      subject: { kind: level, id, slug: subject },
      data,
    });
    trail?.event({ ...noted, action: "manage" });
  };

const events = {
  threshold: "limit.threshold_crossed",
  exhausted: "limit.exhausted",
  period: "limit.reset",
} as const;

const resources = {
  api_key: "api_keys",
  token: "organisation",
  workspace: "workspaces",
  integration: "integrations",
  provider: "providers",
  policy: "policies",
} as const;
