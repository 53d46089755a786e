import { expect, it } from "vitest";
import { depthOf, tooDeep } from "./nesting.ts";

it.each<[string, number]>([
  ["", 0],
  ["7", 0],
  ["{}", 1],
  ['{"a":[{"b":{}}],"c":[]}', 4],
  ['{"a":"[[[[{{{{"}', 1],
  [String.raw`["\"[[[", "\\", [1]]`, 2],
  ["]]]]", 0],
])("%s is nested %d levels deep", (json, depth) => {
  expect(depthOf(Buffer.from(json))).toBe(depth);
});

const nested = (depth: number) => Buffer.from("[".repeat(depth) + "]".repeat(depth));

it("says of a body that is nested too deeply how deep it is, and how deep it may be", () => {
  expect(tooDeep(nested(501))).toBe(
    "The body is nested 501 levels deep, which is too much to work with: send no more than 500.",
  );
  expect(tooDeep(nested(500))).toBeUndefined();
  expect(tooDeep(undefined)).toBeUndefined();
});
