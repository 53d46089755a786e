import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inputArguments, inputBegin, inputEnd, inputPiece } from "./custom-tools.ts";
import { InputReader, inputIn } from "./input-reader.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom('"', "\\", "u", "0", "{", "}", ":", ",", "\n", "é", "\ud83d", "\ude00", "input") }),
);
const anyCuts = fc.array(fc.nat(), { maxLength: 12 });

/** The text in UTF-16 units, cut at the given places. */
function pieces(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((left, right) => left - right);
  return [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
}

function read(all: readonly string[]): string[] {
  const reader = new InputReader();
  return [...all.map((piece) => reader.push(piece)), reader.end()];
}

/** Any way a model may write the JSON of the same arguments. */
const written = (text: string, style: "plain" | "escaped" | "indented", before: object, after: object): string => {
  const json = JSON.stringify({ ...before, input: text, ...after }, null, style === "indented" ? 2 : undefined);
  if (style !== "escaped") return json;
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
};

const members = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }).map((all) => {
  const { input: _, ...others } = all;
  return others;
});

describe("the free text of a call", () => {
  it("is what the model wrote, whatever it is, however it was escaped and wherever the pieces were cut", () => {
    const anyStyle = fc.constantFrom("plain" as const, "escaped" as const, "indented" as const);
    fc.assert(
      fc.property(anyText, anyStyle, anyCuts, (text, style, places) => {
        expect(read(pieces(written(text, style, {}, {}), places)).join("")).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it("is found among other members, before them and behind", () => {
    fc.assert(
      fc.property(anyText, members, members, anyCuts, (text, before, after, places) => {
        const json = written(text, "plain", before, after);
        const expected = (JSON.parse(json) as { input: string }).input;
        expect(read(pieces(json, places)).join("")).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it("is the same in pieces as it is whole, of arguments that are anything", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.json()), anyCuts, (text, places) => {
        expect(read(pieces(text, places)).join("")).toBe(inputIn(text));
      }),
      { numRuns: 1000 },
    );
  });

  it("is all that was written where that is no JSON", () => {
    fc.assert(
      fc.property(anyText, anyCuts, (text, places) => {
        fc.pre(text.trim() !== "" && !/^\s*\{/.test(text));
        expect(read(pieces(text, places)).join("")).toBe(text);
      }),
    );
  });

  it("loses nothing of what came where the arguments were cut off", () => {
    fc.assert(
      fc.property(anyText, fc.nat(), (text, place) => {
        const whole = inputArguments(text);
        const cut = whole.slice(0, inputBegin.length + (place % (whole.length - inputBegin.length)));
        const said = inputIn(cut).replace(/\\u?[0-9a-f]{0,3}$/, "");
        expect(text.startsWith(said) || text.startsWith(inputIn(cut))).toBe(true);
        expect(inputPiece(text).length - inputPiece(inputIn(cut)).length).toBeLessThanOrEqual(
          whole.length - cut.length,
        );
      }),
    );
  });

  it("is given as it arrives, in whole characters", () => {
    const halves = [inputBegin, "a", "b\\", "n", "\\ud83d", "\\ude", "00c", "\ud83d", "\ude00", inputEnd];
    expect(read(halves)).toEqual(["", "a", "b", "\n", "", "", "😀c", "", "😀", "", ""]);
  });

  it("is written in pieces as it is read in pieces, halves of characters included", () => {
    fc.assert(
      fc.property(anyText, anyCuts, (text, places) => {
        const json = [inputBegin, ...pieces(text, places).map(inputPiece), inputEnd];
        expect(read(json).join("")).toBe(text);
        expect(read(json).every((piece) => !/[\ud800-\udbff]$/.test(piece) || text.includes(piece))).toBe(true);
      }),
    );
  });

  it.each([
    ["nothing", "", ""],
    ["an object with nothing in it", " { } ", ""],
    ["another member", '{"patch":"*** Begin"}', '{"patch":"*** Begin"}'],
    ["a member inside another one", '{"a":{"input":"x"}}', '{"a":{"input":"x"}}'],
    ["a member that is no text", '{"input":["ls","-l"]}', '{"input":["ls","-l"]}'],
    ["a list", '["a"]', '["a"]'],
    ["a JSON text", '"a"', '"a"'],
    ["code in braces", '{ "a": 1; b("input":"x") }', '{ "a": 1; b("input":"x") }'],
    ["a name that is escaped", '{"\\u0069nput":"x"}', "x"],
    ["line ends as they are", '{"input":"a\nb\tc"}', "a\nb\tc"],
    ["escapes that are none", '{"input":"\\d+\\u12x\\\\"}', "\\d+\\u12x\\"],
    ["no end", '{"input":"abc', "abc"],
    ["no last brace", '{"input":"abc"', "abc"],
    ["an escape that is torn", '{"input":"abc\\u12', "abc\\u12"],
    ["quotes that are not escaped", '{"input":"say "hi" twice"}', 'say "hi" twice"}'],
    ["something behind it", '{"input":"a"} and so on', 'a"} and so on'],
    ["the first half of a pair at the end", '{"input":"a\\ud83d"}', "a\ud83d"],
  ])("is read out of %s", (_, text, expected) => {
    expect(inputIn(text)).toBe(expected);
    expect(read([...text].flatMap((char) => char.split(""))).join("")).toBe(expected);
  });

  it.each([
    ['{"input":"a"}', true],
    ['{"input":"a","b":[1,{"c":2}]} ', true],
    ['{"input":"a"', false],
    ['{"input":"a', false],
    ["a", false],
  ])("is complete where nothing can follow: %s", (text, complete) => {
    const reader = new InputReader();
    reader.push(text);
    expect(reader.complete).toBe(complete);
  });
});
