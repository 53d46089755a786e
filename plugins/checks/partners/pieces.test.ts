import { describe, expect, it } from "vitest";
import { forEach } from "./parts.ts";
import { piecesOf } from "./pieces.ts";

const rows: readonly (readonly [what: string, text: string, most: number, pieces: readonly string[]])[] = [
  ["a short text as it is", "hello", 5, ["hello"]],
  ["nothing as nothing", "", 5, [""]],
  ["behind a line first", "one two\nthree four", 14, ["one two\n", "three four"]],
  ["behind a sentence next", "I am Al. And you too", 14, ["I am Al. ", "And you too"]],
  ["behind a word else", "one two three four", 10, ["one two ", "three four"]],
  ["within a word where there is no other way", "abcdefgh", 3, ["abc", "def", "gh"]],
  ["never within a character", "ab😀cd", 3, ["ab", "😀c", "d"]],
  ["not at a border that leaves most of it over", "a bcdefghij", 8, ["a bcdefg", "hij"]],
];

describe("a text in pieces", () => {
  for (const [what, text, most, pieces] of rows)
    it(`is cut ${what}`, () => {
      expect(piecesOf(text, most)).toEqual(pieces);
      expect(piecesOf(text, most).join("")).toBe(text);
    });
});

it("pieces are asked for ten at a time, and answered in order", async () => {
  const all = Array.from({ length: 35 }, (_, at) => at);
  let underWay = 0;
  let most = 0;
  const ask = async (one: number) => {
    most = Math.max(most, ++underWay);
    for (let turn = 0; turn <= one % 3; turn++) await Promise.resolve();
    underWay--;
    return one;
  };
  expect(await forEach(all, ask, () => false)).toEqual(all);
  expect(most).toBe(10);
});
