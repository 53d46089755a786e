import fc from "fast-check";
import { expect, it } from "vitest";
import { picodollarsOfCents, ratioOf, shownNumber } from "./ratio.ts";

it.each<[number | string, bigint, bigint]>([
  [2.5, 25n, 10n],
  ["2.50", 250n, 100n],
  [0.1, 1n, 10n],
  [1e-7, 1n, 10n ** 7n],
  [1.5e-7, 15n, 10n ** 8n],
  [3e21, 3n * 10n ** 21n, 1n],
  [0, 0n, 1n],
])("reads %s as it was meant", (value, over, under) => {
  expect(ratioOf(value)).toEqual({ over, under });
});

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "", "free", "1,5", "0x10", "1e9999", "-0.1"])(
  "refuses %s",
  (value) => {
    expect(() => ratioOf(value)).toThrow(RangeError);
  },
);

it("reads every number JSON can hold, and shows it again as it was", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
      const { over, under } = ratioOf(value);
      expect(over >= 0n && under > 0n).toBe(true);
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (digits) => {
      const price = digits / 10 ** 9;
      expect(shownNumber(ratioOf(price))).toBe(price);
    }),
  );
});

it.each<[string, bigint]>([
  ["0.575", 5_750_000_000n],
  ["0.00000000004", 0n],
  ["0.00000000005", 1n],
  ["0.00000000015", 2n],
])("rounds %s cents to picodollars once, half a one upwards", (cents, picodollars) => {
  expect(picodollarsOfCents(ratioOf(cents))).toBe(picodollars);
});
