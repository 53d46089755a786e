import { expect, it } from "vitest";
import { mapTexts, textsIn } from "./texts-in.ts";

const block = (input: unknown) => ({ type: "called", id: 1767225600, input });

const rows: readonly (readonly [what: string, input: unknown, texts: readonly string[], made: unknown])[] = [
  ["numbers that may be somebody's", { card: 4111111111111111, n: 3 }, ["4111111111111111"], { card: "*", n: 3 }],
  ["those of lists", [4111111111111111, 2, -4155550142], ["4111111111111111", "-4155550142"], ["*", 2, "*"]],
  ["a number that is all there is", 4155550142, ["4155550142"], "*"],
  ["no measures", { lat: 48.85837009, ok: true, none: null, big: 999 }, [], undefined],
  ["names that are no plain words", { "ann@example.com": 1, line_2: 2 }, ["ann@example.com"], { "*": 1, line_2: 2 }],
  [
    "several of them, none of which goes",
    { "a b": 1, "c d": 2, "*": 3 },
    ["a b", "c d", "*"],
    { "* 2": 1, "* 3": 2, "*": 3 },
  ],
  ["names and what is below them", { "a b": { x: "y" } }, ["a b", "y"], { "*": { x: "*" } }],
  ["keys of services", { AKIAQ3XZ7BM5WPKC2TNV: true }, ["AKIAQ3XZ7BM5WPKC2TNV"], { "*": true }],
];

it.each(rows)("in JSON whose names are the caller's: %s", (_, input, texts, made) => {
  expect(textsIn(block(input))).toEqual(texts);
  expect(mapTexts(block(input), () => "*")).toEqual(block(made ?? input));
});

it("tells apart as many names as there are", () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `name ${at}`);
  const made = mapTexts(block(Object.fromEntries(names.map((name) => [name, true]))), () => "*");
  const own = Object.keys(made.input as object);
  expect([own.length, own[0], own.at(-1)]).toEqual([20_000, "*", "* 20000"]);
});

it("leaves what is not changed the same object", () => {
  const value = block({ "a b": [4111111111111111, { c: "d" }] });
  expect(mapTexts(value, (text) => text)).toBe(value);
});

it("gives every text a place of its own", () => {
  const places: string[] = [];
  mapTexts(block({ "a b": 4155550142, "c d": ["e", 1234] }), (text, place) => {
    places.push(place);
    return text;
  });
  expect(new Set(places).size).toBe(places.length);
});
