import { expect, it } from "vitest";
import { depthInTexts, depthOf, tooDeep } from "./nesting.ts";

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

it.each<[string, number]>([
  ["7", 0],
  ["[[[]]]", 0],
  [JSON.stringify([" \n\r\t[[[", '"[[[['], undefined, 1), 3],
  ['{"a":"[[[[{{{{", "b": "a [[[[[[[[[[["}', 8],
  [JSON.stringify([JSON.stringify({ a: ["[[[[[", { b: 'say "[[[["' }] }), "{}"]), 3],
  [JSON.stringify(JSON.stringify(["\\", "[[[["])), 1],
  [JSON.stringify(JSON.stringify(['\n"[[[[', [[]]])), 3],
  [JSON.stringify(JSON.stringify({ a: JSON.stringify("[".repeat(9)) })), 1],
])("texts of %s are JSON nested %d levels deep", (json, depth) => {
  expect(depthInTexts(Buffer.from(json))).toBe(depth);
});

const nested = (depth: number) => Buffer.from("[".repeat(depth) + "]".repeat(depth));

it("says of a body that is nested too deeply how deep it is, and how deep it may be", () => {
  expect(tooDeep(nested(501))).toBe(
    "The body is nested 501 levels deep, which is too much to work with: send no more than 500.",
  );
  expect(tooDeep(nested(500))).toBeUndefined();
  expect(tooDeep(Buffer.from(JSON.stringify({ arguments: String(nested(501)) })))).toBe(
    "The body holds a text of JSON that is nested 501 levels deep, which is too much to work with: send no more than 500.",
  );
  expect(tooDeep(undefined)).toBeUndefined();
});
