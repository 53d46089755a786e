import { describe, expect, it } from "vitest";
import { holdsAnyOf } from "./holds-any-of.ts";

const texts = ['"signature"', "a.b", "ü", "(["];
const long = "x ".repeat(10_000);

describe.each([
  ["short", ""],
  ["long", long],
])("in %s bytes", (_, before) => {
  const holds = (text: string) => holdsAnyOf(texts, Buffer.from(before + text));

  it("finds each of the texts, wherever it stands", () => {
    for (const text of texts) {
      expect(holds(`{"a": ${text}, "b": 1}`)).toBe(true);
      expect(holds(text)).toBe(true);
    }
  });

  it("finds nothing else", () => {
    for (const text of ["", '"signatures"', "signature", "aXb", "Ã", "[(", "u"]) expect(holds(text)).toBe(false);
  });
});

it("finds nothing in place of nothing", () => {
  expect(holdsAnyOf([], Buffer.from("text"))).toBe(false);
  expect(holdsAnyOf([], Buffer.from(long))).toBe(false);
});
