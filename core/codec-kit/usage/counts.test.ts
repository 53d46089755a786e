import { expect, it } from "vitest";
import { lessParts, sumOf, tokenCount, totalOf } from "./counts.ts";

it.each([
  [7, 7],
  [0, 0],
  ["12", 12],
  [-1, undefined],
  ["", undefined],
  ["many", undefined],
  [Number.NaN, undefined],
  [null, undefined],
  [true, undefined],
])("reads the count %j as %j", (value, count) => {
  expect(tokenCount(value)).toBe(count);
});

it("adds what is known, and knows nothing when nothing is known", () => {
  expect(sumOf(1, undefined, 2)).toBe(3);
  expect(totalOf(undefined, 0)).toBe(0);
  expect(totalOf(undefined, undefined)).toBeUndefined();
});

it("takes parts out of a total, never below nothing", () => {
  expect(lessParts(10, 4, undefined)).toBe(6);
  expect(lessParts(1, 4)).toBe(0);
  expect(lessParts(undefined, 4)).toBeUndefined();
});
