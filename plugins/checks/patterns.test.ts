import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf, type PatternNode, shapeOf, widthOf } from "./pattern-shape.ts";
import { mostBacktracking, mostWork, patternField, patternOf } from "./patterns.ts";

describe("a pattern", () => {
  it.each<[string, "native" | "re2", number | undefined, number]>([
    ["abc", "native", 3, 0],
    ["\\d{3}-\\d{2}-\\d{4}", "native", 11, 0],
    ["(?<!\\d)\\d{16}(?!\\d)", "native", 16, 1],
    ["\\bfoo\\b", "native", 3, 1],
    ["^a|b$", "native", 1, 1],
    ["\\d+", "native", undefined, 0],
    ["a|bc|def", "native", 3, 0],
    ["(\\d{3}[- ]?){2}\\d{4}", "native", 12, 0],
    ["/./gu", "native", 2, 0],
    [".", "native", 2, 0],
    ["/a/y", "native", undefined, 0],
    ["a?", "native", undefined, 0],
    ["[\\w.]{1,64}@\\w{1,10}", "re2", 75, 0],
    ["(a+)+$", "re2", undefined, 0],
    ["\\s+$", "re2", undefined, 0],
    ["(?i)abc", "re2", undefined, 0],
  ])("%s runs on %s with a window of %s and %d beside it", (rule, engine, window, context) =>
    expect(patternOf(rule)).toMatchObject({ engine, window, context }),
  );

  it.each<[string, string, string[]]>([
    ["b+", "abbbabb", ["bbb"]],
    ["/b+/g", "abbbabb", ["bbb", "bb"]],
    ["/B/gi", "abB", ["b", "B"]],
    ["/^b$/gm", "a\nb\nb", ["b", "b"]],
    ["/a.c/gs", "a\nc abc", ["a\nc", "abc"]],
    ["/a.c/g", "a\nc abc", ["abc"]],
    ["/\\u{1F600}/gu", "x😀", ["😀"]],
    ["/a/gy", "aaba", ["a", "a"]],
    ["/a*/g", "baac", ["", "aa", "", ""]],
    ["(x+x+)+y", "xxxy", ["xxxy"]],
    ["/(?:\\s+)+$/g", "a\u00a0\ufeff", ["\u00a0\ufeff"]],
    ["/([^\\S ]+)+;/g", " \t;", ["\t;"]],
  ])("%s finds what JavaScript does in %j", (rule, text, found) => {
    const all = patternOf(rule).findAll(text);
    expect(all.map((match) => match.text)).toEqual(found);
    for (const { start, end, text: matched } of all) expect(text.slice(start, end)).toBe(matched);
  });

  it.each(["(?<y>\\d{4})-(?<m>\\d\\d)(x)?", "(?<y>\\d{4})-(?<m>\\d\\d)(x)?(?:z+)*$"])("%s gives its groups", (rule) =>
    expect(patternOf(rule).first("on 2024-05")).toEqual({
      start: 3,
      end: 10,
      text: "2024-05",
      captures: ["2024", "05", null],
      groups: { y: "2024", m: "05" },
    }),
  );

  it("searches from a place on, and sees what stands before it", () => {
    for (const rule of ["/\\b\\d\\d/g", "/\\b(?:\\d\\d)+?(?:\\d\\d)*?/g"])
      expect(
        patternOf(rule)
          .findAll("a12 3456 78", 1)
          .map(({ text }) => text),
      ).toEqual(["34", "78"]);
  });

  it.each<[string, string, string]>([
    ["half a group", "(", "missing"],
    ["flags there are none of", "/a/x(", "missing"],
    ["a back reference", "(a)\\1", "invalid escape"],
    ["an unbounded look ahead", "(?=a+b)c", "Perl syntax"],
    ["more repetitions than RE2 writes out", "(?:a{900}b?){2}", "repeat"],
    ["a very long one", "a".repeat(5001), "longer than 5000"],
  ])("that is %s is refused", (_, rule, reason) => {
    const read = patternField.safeParse(rule);
    expect(read.error?.issues[0]?.message).toContain(reason);
  });
});

/** Patterns of the kind that may run natively. */
const simple: fc.Arbitrary<string> = fc.letrec((tie) => ({
  atom: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("a", "b", "c", "-", "\\d", "\\w", "\\s", ".", "[ab]", "[^a]", "[\\s-]", "\\b", "(?!a)", "(?<=b)"),
    tie("sequence").map((of) => `(${of})`),
    fc.tuple(tie("sequence"), tie("sequence")).map(([a, b]) => `(?:${a}|${b})`),
  ),
  counted: fc
    .tuple(tie("atom"), fc.constantFrom("", "", "", "?", "{2}", "{1,3}", "{0,2}?"))
    .map(([atom, count]) => (/^(?:\\b|\(\?<?[!=].\))$/.test(String(atom)) ? String(atom) : `${atom}${count}`)),
  sequence: fc.array(tie("counted"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
})).sequence as fc.Arbitrary<string>;
const texts = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", "1", " ", "\n", "\u2028", "é"), maxLength: 30 });

/** Whether a part is repeated that may have no characters. */
function repeatsNothing(body: string): boolean {
  const within = (node: PatternNode): boolean => {
    if (node.kind === "repeat") return widthOf(node.of).least === 0 || within(node.of);
    if (node.kind === "sequence") return node.parts.some(within);
    return node.kind === "choice" && node.branches.some(within);
  };
  const shape = shapeOf(body, false);
  return !shape || within(shape.node);
}

it("gives what the platform's engine gives, on either of the two", () => {
  const engines = new Set<string>();
  fc.assert(
    fc.property(simple, texts, fc.constantFrom("g", "gs", "gm"), (body, text, flags) => {
      const expected = [...text.matchAll(new RegExp(body, flags))].map((match) => [match.index, ...match]);
      // Behind a repetition of nothing that has no bound, the same pattern runs on RE2, which knows no look-around.
      const looksAround = /\(\?<?[!=]/.test(body);
      const rules = [`/${body}/${flags}`, `/(?:${body})(?:(?:\\x00\\x00)*)*/${flags}`];
      for (const rule of rules) {
        if (looksAround && !patternField.safeParse(rule).success) continue;
        const { engine } = patternOf(rule);
        // Where they differ: how often what may be nothing is repeated, and what groups hold that were repeated.
        if (engine === "re2" && repeatsNothing(body)) continue;
        const captured = engine === "native" || !/\)[?{]/.test(body) ? undefined : 2;
        const pattern = patternOf(rule);
        engines.add(pattern.engine);
        const found = pattern
          .findAll(text)
          .map(({ start, text: whole, captures }) => [start, whole, ...captures].slice(0, captured));
        expect(found, `${rule} in ${JSON.stringify(text)}`).toEqual(
          expected.map((match) => match.map((one) => one ?? null).slice(0, captured)),
        );
        for (const { text: whole } of pattern.findAll(text))
          expect(whole.length).toBeLessThanOrEqual(pattern.window ?? Number.POSITIVE_INFINITY);
      }
    }),
    { numRuns: 400 },
  );
  expect(engines).toEqual(new Set(["native", "re2"]));
});

/** Steps of an engine that backtracks, from one place of a text, where every character fits and in the end nothing does. */
function steps(
  node: PatternNode,
  at: number,
  then: (at: number) => boolean,
  length: number,
  count: { n: number },
): boolean {
  const go = (next: PatternNode, from: number, on: (at: number) => boolean) => steps(next, from, on, length, count);
  if (++count.n > 20_000) return true;
  switch (node.kind) {
    case "character":
      return at < length && then(at + 1);
    case "edge":
      return then(at);
    case "look":
      go(node.of, at, () => true);
      return then(at);
    case "sequence": {
      const run = (part: number, from: number): boolean => {
        const next = node.parts[part];
        return next ? go(next, from, (to) => run(part + 1, to)) : then(from);
      };
      return run(0, at);
    }
    case "choice":
      return node.branches.some((branch) => go(branch, at, then));
    case "repeat": {
      const run = (times: number, from: number): boolean =>
        (times < node.most && go(node.of, from, (to) => (to === from ? false : run(times + 1, to)))) ||
        (times >= node.least && then(from));
      return run(0, at);
    }
  }
}

it("backtracks no more than it is reckoned to", () => {
  fc.assert(
    fc.property(simple, (body) => {
      const shape = shapeOf(`${body}!`, false);
      if (!shape) throw new Error(`no shape: ${body}`);
      const limit = 10_000;
      const cost = costOf(shape.node, 0, limit);
      const count = { n: 0 };
      steps(shape.node, 0, () => false, 200, count);
      // Sequences are no steps of their own: at most one for each that a part of it takes.
      if (cost <= limit) expect(count.n).toBeLessThanOrEqual(2 * cost + 1);
    }),
    { numRuns: 400 },
  );
});

it.each<[string, string]>([
  ["(a+)+$", "a"],
  ["(x+x+)+y", "x"],
  ["(a|aa)+b", "a"],
  ["(.*)*=(.*)*;", "="],
  ["\\s+$", " "],
  ["(a?){60}a{60}", "a"],
  ["/a.*b|a/g", "a"],
  ["(?:a{1,9}){1,9}b", "a"],
  ["[a-z]{1,300}[a-z]{1,300}!", "a"],
])("%s is bounded work on 100 KB", (rule, character) => {
  const pattern = patternOf(rule);
  const text = `${character.repeat(100_000)}\n`;
  if (pattern.engine === "native") return expect(pattern.stepsPerCharacter).toBeLessThanOrEqual(mostBacktracking);
  const allowed = mostWork / pattern.stepsPerCharacter;
  if (text.length > allowed || pattern.global) expect(() => pattern.findAll(text)).toThrow("too much work");
  else expect(pattern.findAll(text).length).toBeLessThanOrEqual(1);
});

it("steps over whole characters where it finds nothing in them", () => {
  const places = (rule: string) =>
    patternOf(rule)
      .findAll("a😀b")
      .map(({ start, end }) => [start, end]);
  expect(places("/x*/gu")).toEqual([0, 1, 3, 4].map((at) => [at, at]));
  expect(places("/x*/g")).toEqual([0, 1, 2, 3, 4].map((at) => [at, at]));
});
