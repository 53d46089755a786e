import { expect, it } from "vitest";
import type { AuditEvent } from "../../core/index.ts";
import { keepingLogger } from "../../test/support/gateway.ts";
import { Account } from "./account.ts";
import { alerting } from "./alerts.ts";
import type { Budget } from "./budgets.ts";

it.each([
  ["threshold", "manage", "limit.threshold_crossed", 1],
  ["exhausted", "manage", "limit.exhausted", 1],
  ["period", "reset", "limit.reset", 0],
] as const)("tells the audit log of a %s, and others of what has to be done about", (what, action, event, others) => {
  const audited: AuditEvent[] = [];
  const told: string[] = [];
  const trail = { event: (one: AuditEvent) => void audited.push(one) };
  const notifications = { notify: (one: { event: string }) => void told.push(one.event) };
  const log = keepingLogger();
  const account = new Account("o", {
    base: "usage:policy:P1:x",
    type: "cost",
    limit: 5_000_000_000_000n,
    alert: undefined,
    level: "policy",
    id: "P1",
    subject: "P1",
    policy: { id: "P1", valueKey: "api_key:K1" },
  } as Budget);
  alerting({ trail, notifications: notifications as never, counter: undefined, log })(account, what);
  expect(audited).toMatchObject([
    {
      organisation: "o",
      resource: "policies",
      action,
      subject: "P1",
      details: { event, type: "cost", credit_limit: 5, value_key: "api_key:K1" },
    },
  ]);
  expect([told.length, log.lines.length]).toEqual([others, others]);
});
