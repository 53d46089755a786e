import { expect, it } from "vitest";
import { instantOf, writtenInstant } from "./written-instant.ts";

it("is what a date would say, within a second and behind it, and before others", () => {
  for (const instant of [0, 7, 42, 999, 1000, 1_767_607_200_123, 1_767_607_200_123, 1_767_607_200_999, 5, -1, -1001]) {
    const written = writtenInstant(instant);
    expect(written).toBe(new Date(instant).toISOString());
    expect(instantOf(written)).toBe(instant);
  }
});

it("is read where it is another one's, or none", () => {
  writtenInstant(1_767_607_200_123);
  expect(instantOf("2020-01-01T00:00:00Z")).toBe(Date.parse("2020-01-01T00:00:00Z"));
  expect(instantOf("soon")).toBeNaN();
});

it("is not made of what is no instant, and what comes after it is", () => {
  expect(() => writtenInstant(Number.NaN)).toThrow(RangeError);
  expect(() => writtenInstant(1e20)).toThrow(RangeError);
  expect(writtenInstant(1000)).toBe("1970-01-01T00:00:01.000Z");
});
