import { expect, it } from "vitest";
import { z } from "zod";
import { lenientNumber, lenientText, lenientWord } from "./fields/lenient.ts";
import { mustBe, refuse } from "./fields/refusal.ts";
import { compact, isRecord, lookUp } from "./records.ts";

it("knows objects from everything else", () => {
  expect([{}, Object.create(null)].every(isRecord)).toBe(true);
  expect([null, undefined, [], "a", 1].some(isRecord)).toBe(false);
});

it("leaves out what says nothing, and keeps what says no", () => {
  expect(compact({ a: null, b: undefined, c: 0, d: false, e: "" })).toEqual({ c: 0, d: false, e: "" });
});

it("finds nothing under names every object knows", () => {
  expect(lookUp({ a: 1 }, "a")).toBe(1);
  expect(lookUp({ a: 1 }, "constructor")).toBeUndefined();
});

it("takes odd values in answers for absent ones", () => {
  const schema = z.looseObject({ text: lenientText, number: lenientNumber, word: lenientWord });
  expect(schema.parse({ text: 7, number: "8", word: 9 })).toEqual({ text: "7", number: 8 });
  expect(schema.parse({ text: null, number: {}, word: [] })).toEqual({});
  expect(schema.parse({})).toEqual({});
});

it("says what a value must be, and cuts it where it gets long", () => {
  expect(mustBe("n", "a number", undefined)).toBe("n is required and must be a number");
  expect(mustBe("n", "a number", "x".repeat(80))).toBe(`n must be a number, got "${"x".repeat(59)}…`);
  expect(() => refuse("n", "a number", "x")).toThrow(
    expect.objectContaining({ code: "invalid_request", details: { param: "n" } }),
  );
});
