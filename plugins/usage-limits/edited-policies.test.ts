import { expect, it } from "vitest";
import type { UsagePolicy } from "../../core/index.ts";
import { Account } from "./account.ts";
import { budgetOfPolicy } from "./budgets.ts";
import { editedPolicies } from "./edited-policies.ts";

const policy = (more: Partial<UsagePolicy>): UsagePolicy => ({
  ...{ id: "P", name: null, conditions: [], groupBy: [], type: "tokens", enforcement: "soft" },
  ...{ creditLimit: 100, alertThreshold: 50, version: 2 },
  ...more,
});

it("says what a policy is by now to an account that goes by it only as others do, until it has been told", () => {
  const now = Date.parse("2082-09-02T10:00Z");
  const latest = policy({ alertThreshold: null, version: 3 });
  const edited = editedPolicies({ usage: () => [latest] });
  const account = new Account("o", budgetOfPolicy(policy({}), "x"));
  account.turn(account.budget, now);
  account.learnLimits({ version: 3, limit: "100", alert: null }, now);
  expect([account.budget.version, account.budget.alert]).toEqual([3, undefined]);
  const told = edited(account);
  expect(told).toEqual(budgetOfPolicy(latest, "x"));
  account.turn(budgetOfPolicy(latest, "x"), now);
  expect(edited(account)).toBeUndefined();
  account.unlearnLimits(3, now);
  expect(account.budget.alert).toBeUndefined();
});
