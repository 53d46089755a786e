import { expect, it } from "vitest";
import { wordFilter } from "./word-filter.ts";

const filter = wordFilter({ deny: ["files-1", /^count-/], rename: { old: "new" } });

it.each([
  ["a, b", "a,b"],
  ["a,files-1,count-2026", "a"],
  ["old,a", "new,a"],
  ["new,old", "new"],
  ["files-1", undefined],
  ["", undefined],
])("reads %j as %j", (value, said) => {
  expect(filter(value)).toBe(said);
});
