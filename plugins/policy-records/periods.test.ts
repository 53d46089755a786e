import { describe, expect, it } from "vitest";
import { datesAt, nextResetAfter, nextResetOfFile, type Period } from "./periods.ts";

const weekly: Period = { periodic_reset: "weekly", periodic_reset_days: null };
const monthly: Period = { periodic_reset: "monthly", periodic_reset_days: null };
const days = (count: number): Period => ({ periodic_reset: null, periodic_reset_days: count });
const never: Period = { periodic_reset: null, periodic_reset_days: null };
const shown = (moment: number | undefined) => moment && new Date(moment).toISOString().slice(0, 16);

/** 2 September 2026 is a Wednesday. */
describe("the next reset of a budget", () => {
  it.each<[Period, string, string | undefined]>([
    [weekly, "2026-09-02T10:00:00Z", "2026-09-07T00:00"],
    [weekly, "2026-09-06T23:59:59Z", "2026-09-07T00:00"],
    [weekly, "2026-09-07T00:00:00Z", "2026-09-14T00:00"],
    [monthly, "2026-09-02T10:00:00Z", "2026-10-01T00:00"],
    [monthly, "2026-10-01T00:00:00Z", "2026-11-01T00:00"],
    [monthly, "2026-12-31T23:59:59Z", "2027-01-01T00:00"],
    [days(10), "2026-09-02T10:00:00Z", "2026-09-12T00:00"],
    [days(1), "2026-09-02T00:00:00Z", "2026-09-03T00:00"],
    [never, "2026-09-02T10:00:00Z", undefined],
  ])("%j after %s: %s", (period, now, next) => {
    expect(shown(nextResetAfter(Date.parse(now), period))).toBe(next);
  });

  it.each<[Period, string | null, string, string | undefined]>([
    [days(10), null, "1970-01-01T00:00:00Z", "1970-01-11T00:00"],
    [days(10), null, "1970-01-10T23:59:59Z", "1970-01-11T00:00"],
    [days(10), "2026-09-01T00:00:00Z", "2026-08-02T10:00:00Z", "2026-09-01T00:00"],
    [days(10), "2026-09-01T00:00:00Z", "2026-09-02T10:00:00Z", "2026-09-11T00:00"],
    [days(10), "2026-09-01T00:00:00Z", "2026-09-11T00:00:00Z", "2026-09-21T00:00"],
    [weekly, "2026-09-01T00:00:00Z", "2026-09-02T10:00:00Z", "2026-09-07T00:00"],
    [never, null, "2026-09-02T10:00:00Z", undefined],
  ])("of the file, %j from %s after %s: %s", (period, given, now, next) => {
    expect(shown(nextResetOfFile(Date.parse(now), period, given))).toBe(next);
  });

  it.each<[Period, string | null, string, string | undefined, string | undefined]>([
    [weekly, "2026-09-07T00:00:00Z", "2026-09-06T23:59:59Z", "2026-09-07T00:00", undefined],
    [weekly, "2026-09-07T00:00:00Z", "2026-09-07T00:00:00Z", "2026-09-14T00:00", "2026-09-07T00:00"],
    [weekly, "2026-09-09T00:00:00Z", "2026-09-10T00:00:00Z", "2026-09-14T00:00", "2026-09-09T00:00"],
    [weekly, "2026-09-07T00:00:00Z", "2026-09-30T10:00:00Z", "2026-10-05T00:00", "2026-09-28T00:00"],
    [monthly, "2026-10-01T00:00:00Z", "2027-01-02T10:00:00Z", "2027-02-01T00:00", "2027-01-01T00:00"],
    [days(10), "2026-09-12T00:00:00Z", "2026-10-03T10:00:00Z", "2026-10-12T00:00", "2026-10-02T00:00"],
    [never, "2026-09-12T00:00:00Z", "2026-10-03T10:00:00Z", undefined, "2026-09-12T00:00"],
    [never, null, "2026-10-03T10:00:00Z", undefined, undefined],
  ])("as it is shown, %j from %s at %s: %s, and %s before", (period, given, now, next, last) => {
    const shownOf = (date: string | null) => (date === null ? undefined : shown(Date.parse(date)));
    const dates = datesAt(Date.parse(now), period, { next: given, last: null });
    expect([shownOf(dates.next_usage_reset_at), shownOf(dates.last_reset_at)]).toEqual([next, last]);
  });
});
