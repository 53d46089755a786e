import { describe, expect, it } from "vitest";
import { type Cadence, endOfPeriod, lastResetOf } from "./periods.ts";

const at = (text: string) => Date.parse(`${text}Z`);

describe("periods (policies.md section 7)", () => {
  it.each<[string, Cadence | undefined, 0 | 1, string, string | undefined, string | undefined]>([
    ["weeks of policies begin on Monday", "weekly", 1, "2026-09-02T10:00", undefined, "2026-09-07T00:00"],
    ["a Monday is in the new week", "weekly", 1, "2026-09-07T00:00", undefined, "2026-09-14T00:00"],
    ["those of keys on Sunday", "weekly", 0, "2026-09-05T23:59", undefined, "2026-09-06T00:00"],
    ["a Sunday is in the new week", "weekly", 0, "2026-09-06T00:00", undefined, "2026-09-13T00:00"],
    ["months", "monthly", 1, "2026-09-30T23:59:59.999", undefined, "2026-10-01T00:00"],
    ["the last month of a year", "monthly", 1, "2026-12-31T12:00", undefined, "2027-01-01T00:00"],
    ["a short month", "monthly", 1, "2028-02-29T12:00", undefined, "2028-03-01T00:00"],
    // Clocks go back in Europe on 25 October 2026, and forward in March: UTC does not care.
    ["a week in which clocks change", "weekly", 1, "2026-10-24T12:00", undefined, "2026-10-26T00:00"],
    ["a day on which clocks change", { days: 1 }, 1, "2026-03-29T01:30", undefined, "2026-03-30T00:00"],
    ["days from when it was made", { days: 10 }, 1, "2026-09-02T10:00", undefined, "2026-09-11T00:00"],
    ["the date that was said", "monthly", 1, "2026-09-02T10:00", "2026-09-20T00:00", "2026-09-20T00:00"],
    ["after it the calendar again", "monthly", 1, "2026-09-20T00:00", "2026-09-20T00:00", "2026-10-01T00:00"],
    ["after it so many days", { days: 7 }, 1, "2026-09-20T00:00", "2026-09-20T00:00", "2026-09-27T00:00"],
    ["long after it", { days: 7 }, 1, "2026-10-06T05:00", "2026-09-20T00:00", "2026-10-11T00:00"],
    ["never", undefined, 1, "2026-09-02T10:00", undefined, undefined],
    ["once", undefined, 1, "2026-09-02T10:00", "2026-09-20T00:00", "2026-09-20T00:00"],
    ["and then never", undefined, 1, "2026-09-20T00:00", "2026-09-20T00:00", undefined],
  ])("%s", (_, cadence, weekStart, now, next, end) => {
    const rule = { cadence, weekStart, since: at("2026-09-01T15:30"), next: next === undefined ? undefined : at(next) };
    expect(endOfPeriod(rule, at(now))).toBe(end === undefined ? undefined : at(end));
  });

  it.each<[string, Cadence | undefined, string, string | undefined, string | undefined]>([
    ["the first period", "weekly", "2026-09-05T10:00", undefined, undefined],
    ["a week", "weekly", "2026-09-16T10:00", undefined, "2026-09-13T00:00"],
    ["a month", "monthly", "2026-10-31T10:00", undefined, "2026-10-01T00:00"],
    ["the month it was made in", "monthly", "2026-09-30T10:00", undefined, undefined],
    ["so many days", { days: 10 }, "2026-09-12T10:00", undefined, "2026-09-11T00:00"],
    ["the first of so many days", { days: 10 }, "2026-09-10T10:00", undefined, undefined],
    ["before the date that was said", "weekly", "2026-09-16T10:00", "2026-09-18T00:00", undefined],
    ["after it", "weekly", "2026-09-19T10:00", "2026-09-18T00:00", "2026-09-18T00:00"],
    ["once", undefined, "2026-10-19T10:00", "2026-09-18T00:00", "2026-09-18T00:00"],
    ["never", undefined, "2026-10-19T10:00", undefined, undefined],
  ])("begin with a reset, but for the first: %s", (_, cadence, now, next, began) => {
    const since = at("2026-09-01T15:30");
    const rule = { cadence, weekStart: 0 as const, since, next: next === undefined ? undefined : at(next) };
    expect(lastResetOf(rule, at(now))).toBe(began === undefined ? undefined : at(began));
  });
});
