import { expect, it } from "vitest";
import { bench } from "./bench.ts";

it.each([
  [{ scale: "abc" }, '--scale "abc" is no number above 0\n'],
  [{ scale: "0" }, '--scale "0" is no number above 0\n'],
  [{ rounds: "0" }, "--rounds is a whole number, at least 1\n"],
  [{ takes: "1.5" }, "--takes is a whole number, at least 1\n"],
])("measures nothing with %o", async (options, err) => {
  expect(await bench(options)).toEqual({ exitCode: 1, out: "", err });
});
