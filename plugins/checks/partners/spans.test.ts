import { expect, it } from "vitest";
import { withFindings } from "./spans.ts";

it.each<[string, string, { start: number; end: number; words?: string }[], string | undefined]>([
  ["counted in units", "😀 call 555, 555", [{ start: 8, end: 11, words: "555" }], "😀 call _, 555"],
  ["counted in characters", "😀 call 555, 555", [{ start: 7, end: 10, words: "555" }], "😀 call _, 555"],
  ["counted otherwise", "😀 call 555, 555", [{ start: 10, end: 13, words: "555" }], "😀 call _, _"],
  ["that is in no place", "call 555", [{ start: 5, end: 8, words: "666" }], undefined],
  ["without words, in either place", "😀 call 555", [{ start: 7, end: 10 }], "😀 call_"],
  ["without words, with half of a pair", "😀a😀b😀c", [{ start: 3, end: 4 }], "😀a__😀c"],
  ["behind the end", "😀", [{ start: 1, end: 3 }], undefined],
])("what a service found is replaced: %s", (_, text, findings, becomes) => {
  expect(
    withFindings(
      text,
      findings.map((one) => ({ ...one, token: "_" })),
    ),
  ).toBe(becomes);
});

it("a text is read once, however much was found in it", () => {
  const count = 20_000;
  const text = `😀${" 555".repeat(count)}`;
  const findings = Array.from({ length: count }, (_, at) => ({ start: 4 * at + 2, end: 4 * at + 5, token: "_" }));
  const named = findings.map((one) => ({ ...one, words: "555" }));
  const elsewhere = named.map((one) => ({ ...one, start: 0 }));
  for (const found of [named, elsewhere]) expect(withFindings(text, found)).toBe(`😀${" _".repeat(count)}`);
});
