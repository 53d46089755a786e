import { expect, it } from "vitest";
import { Account } from "./account.ts";
import { budgetsOfThing } from "./budgets.ts";

it("what was known of a budget before its reset does not undo the reset", () => {
  const usage = {
    type: "cost" as const,
    credit_limit: 1,
    alert_threshold: null,
    periodic_reset: null,
    periodic_reset_days: null,
    next_usage_reset_at: null,
  };
  const reset = (resetAt: string | null) => {
    const thing = { level: "api_key" as const, id: "K1", subject: "K1", usage: [usage], rate: [], resetAt };
    const [budget] = budgetsOfThing(thing, "soft");
    if (!budget) throw new Error("no budget");
    return budget;
  };
  const account = new Account("o", reset(null));
  account.turn(reset(null), 1);
  account.unsent = 5n;
  account.turn(reset("2026-09-02T10:00:00.000Z"), 2);
  expect(account.total).toBe(0n);
  account.unsent = 3n;
  account.turn(reset(null), 3);
  expect(account.total).toBe(3n);
  account.turn(reset("2026-09-02T10:00:00.001Z"), 4);
  expect(account.total).toBe(0n);
});
