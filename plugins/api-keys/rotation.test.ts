import { describe, expect, it } from "vitest";
import { GatewayError } from "../../core/index.ts";
import { afterRotation, checkedPolicy, enforcedPolicy, nextRotation, type RotationPolicy } from "./rotation.ts";
import { checkedExpiry, policyFor } from "./rules.ts";

const at = (text: string) => Date.parse(text);
const policy = (given: Partial<RotationPolicy>): RotationPolicy => ({
  rotation_period: null,
  rotation_period_days: null,
  next_rotation_at: null,
  key_transition_period_ms: 1_800_000,
  ...given,
});
const weekly = policy({ rotation_period: "weekly" });
const monthly = policy({ rotation_period: "monthly" });
const everyTenDays = policy({ rotation_period_days: 10 });
const day = 24 * 60 * 60_000;

describe("the next rotation", () => {
  it.each<[string, RotationPolicy, string, string | null]>([
    ["is next Monday", weekly, "2026-03-11T10:00:00Z", "2026-03-16T00:00:00.000Z"],
    ["is a week away on a Monday", weekly, "2026-03-09T00:00:00Z", "2026-03-16T00:00:00.000Z"],
    ["is tomorrow on a Sunday", weekly, "2026-03-15T23:59:59Z", "2026-03-16T00:00:00.000Z"],
    ["is the first of the next month", monthly, "2026-01-31T12:00:00Z", "2026-02-01T00:00:00.000Z"],
    ["is the first of the next year", monthly, "2026-12-01T00:00:00Z", "2027-01-01T00:00:00.000Z"],
    ["is so many days away", everyTenDays, "2026-02-25T18:00:00Z", "2026-03-07T00:00:00.000Z"],
    ["is never without a period", policy({}), "2026-02-25T18:00:00Z", null],
  ])("%s", (_, given, now, next) => expect(nextRotation(given, at(now))).toBe(next));

  it("is left once a single date has come", () => {
    const once = policy({ next_rotation_at: "2026-03-01T00:00:00.000Z" });
    expect(afterRotation(once, at("2026-03-01T00:10:00Z"))).toBeNull();
    expect(afterRotation(weekly, at("2026-03-01T00:10:00Z"))?.next_rotation_at).toBe("2026-03-02T00:00:00.000Z");
  });
});

const now = at("2026-03-11T10:00:00Z");
const soon = "2026-03-20T00:00:00.000Z";
const enforced = { ...enforcedPolicy(30, now) };

/** The field a refusal is about, or what came of it. */
function outcomeOf<Value>(run: () => Value): Value | string | undefined {
  try {
    return run();
  } catch (error) {
    return error instanceof GatewayError ? error.details.param : String(error);
  }
}

describe("a policy", () => {
  it.each<[string, Partial<RotationPolicy>, number | undefined, string]>([
    ["a period", { rotation_period: "weekly" }, undefined, "2026-03-16T00:00:00.000Z"],
    ["a period with a first date", { rotation_period: "weekly", next_rotation_at: soon }, undefined, soon],
    ["a date alone", { next_rotation_at: soon }, undefined, soon],
    ["the enforced cadence", { rotation_period: "monthly" }, 30, "2026-04-01T00:00:00.000Z"],
    [
      "a transition just short of the period",
      { rotation_period_days: 1, key_transition_period_ms: day - 1 },
      undefined,
      "2026-03-12T00:00:00.000Z",
    ],
  ])("may have %s", (_, given, enforcedDays, next) =>
    expect(checkedPolicy(policy(given), { now, enforcedDays }).next_rotation_at).toBe(next),
  );

  it.each<[string, Partial<RotationPolicy>, number | undefined, string]>([
    ["nothing", {}, undefined, "rotation_policy.rotation_period"],
    [
      "two periods",
      { rotation_period: "weekly", rotation_period_days: 3 },
      undefined,
      "rotation_policy.rotation_period_days",
    ],
    [
      "a date that is over",
      { next_rotation_at: "2026-03-11T00:00:00.000Z" },
      undefined,
      "rotation_policy.next_rotation_at",
    ],
    [
      "a transition as long as a week",
      { rotation_period: "weekly", key_transition_period_ms: 7 * day },
      undefined,
      "rotation_policy.key_transition_period_ms",
    ],
    [
      "a transition of 28 days in a month",
      { rotation_period: "monthly", key_transition_period_ms: 28 * day },
      undefined,
      "rotation_policy.key_transition_period_ms",
    ],
    [
      "another cadence than the enforced one",
      { rotation_period: "weekly" },
      30,
      "rotation_policy.rotation_period_days",
    ],
    [
      "a date of its own beside the enforced cadence",
      { rotation_period_days: 30, next_rotation_at: soon },
      30,
      "rotation_policy.next_rotation_at",
    ],
  ])("may not have %s", (_, given, enforcedDays, param) =>
    expect(outcomeOf(() => checkedPolicy(policy(given), { now, enforcedDays }))).toBe(param),
  );

  it.each<[string, RotationPolicy | null | undefined, number | undefined, unknown]>([
    ["is none where none is asked for", undefined, undefined, null],
    ["is none where it is taken away", null, undefined, null],
    ["is the enforced one where none is asked for", undefined, 30, enforced],
    ["stays where it is enforced", null, 30, "rotation_policy"],
  ])("%s", (_, given, rotationDays, expected) =>
    expect(outcomeOf(() => policyFor(given, { rotationDays }, now))).toEqual(expected),
  );
});

describe("an expiry", () => {
  const inDays = (days: number) => new Date(now + days * day).toISOString();
  it.each<[string, string | null | undefined, { defaultDays?: number; maxDays?: number }, string | null]>([
    ["is never", undefined, {}, null],
    ["is the usual one", undefined, { defaultDays: 5, maxDays: 9 }, inDays(5)],
    ["is the latest one where nothing is usual", undefined, { maxDays: 9 }, inDays(9)],
    ["is the given one", inDays(9), { maxDays: 9 }, inDays(9)],
    ["is not over", inDays(0), {}, "expires_at"],
    ["is not too far away", inDays(10), { maxDays: 9 }, "expires_at"],
    ["is not never where there is a latest one", null, { maxDays: 9 }, "expires_at"],
  ])("%s", (_, given, rules, expected) => expect(outcomeOf(() => checkedExpiry(given, rules, now))).toBe(expected));
});
