import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dollarsText, picodollarsOf, picodollarsOfNumber } from "./money.ts";

describe("money", () => {
  it.each([
    ["0", 0n],
    ["1", 1_000_000_000_000n],
    ["0.00575", 5_750_000_000n],
    ["0.000000000001", 1n],
    ["-12.5", -12_500_000_000_000n],
    ["92233720368.5", 92_233_720_368_500_000_000_000n],
  ])("%s", (text, amount) => {
    expect(picodollarsOf(text)).toBe(amount);
    expect(dollarsText(amount)).toBe(text);
  });

  it.each(["", ".5", "1.", "1e3", "one", "0.0000000000001", " 1"])("%j is no amount", (text) => {
    expect(() => picodollarsOf(text)).toThrow(RangeError);
  });

  it("passes over decimal places that are zero", () => {
    expect(picodollarsOf("1.50000000000000000")).toBe(1_500_000_000_000n);
  });

  it.each([
    [80, 80n * 10n ** 12n],
    [0.1, 10n ** 11n],
    [1e-7, 100_000n],
    [1e21, 10n ** 33n],
  ])("a limit of %d", (number, amount) => {
    expect(picodollarsOfNumber(number)).toBe(amount);
  });

  it("is read as it was written", () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), (amount) => picodollarsOf(dollarsText(amount)) === amount),
    );
  });
});
