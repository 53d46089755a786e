import { describe, expect, it } from "vitest";
import { instant, midnight, usageLimits } from "./fields.ts";

describe("an instant", () => {
  it.each([
    ["2026-03-09T07:55:25Z", "2026-03-09T07:55:25.000Z"],
    ["2026-03-09T07:55:25.5+02:00", "2026-03-09T05:55:25.500Z"],
    ["2026-03-09T07:55-0330", "2026-03-09T11:25:00.000Z"],
    ["2026-03-09T07:55+02", "2026-03-09T05:55:00.000Z"],
    ["2026-03-09T07:55:25", "2026-03-09T07:55:25.000Z"],
    ["2026-03-09 07:55:25", "2026-03-09T07:55:25.000Z"],
    ["2026-03-09", "2026-03-09T00:00:00.000Z"],
    ["2028-02-29t10:00:00z", "2028-02-29T10:00:00.000Z"],
  ])("%s is %s, wherever the gateway runs", (text, expected) => {
    const zone = process.env.TZ;
    process.env.TZ = "America/New_York";
    try {
      expect(instant.parse(text)).toBe(expected);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it.each(["", "1", "2030", "12/31/2030", "March 7 2030", "2030-1-1", "2026-02-30", "2026-02-29T00:00:00Z"])(
    "%j is none: another date could be meant",
    (text) => expect(instant.safeParse(text).error?.issues[0]?.message).toContain("ISO 8601"),
  );

  it.each(["+012030-01-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-03-09T25:00:00Z", "2026-03-09T07:55:25 GMT"])(
    "%j is none",
    (text) => expect(midnight.safeParse(text).success).toBe(false),
  );
});

describe("a budget", () => {
  const mistakesOf = (given: object) =>
    usageLimits.safeParse(given).error?.issues.map(({ path, message }) => [path.join("."), message]);

  it("is less than counters hold", () => {
    const beyond = "must be less than 1000000000000000 (10^15): counters hold no more";
    expect(mistakesOf({ credit_limit: 999_999_999_999_999, alert_threshold: 999_999_999_999_998 })).toBeUndefined();
    expect(mistakesOf({ type: "tokens", credit_limit: 1e15 })).toEqual([["credit_limit", beyond]]);
    expect(mistakesOf({ credit_limit: 1e300 })).toEqual([["credit_limit", beyond]]);
    expect(mistakesOf({ credit_limit: null, alert_threshold: 2 ** 53 })).toEqual([["alert_threshold", beyond]]);
  });

  it("is a whole number from 1 on", () => {
    for (const credit_limit of [0, -1, 0.5, "5"]) expect(mistakesOf({ credit_limit })).toHaveLength(1);
  });
});
