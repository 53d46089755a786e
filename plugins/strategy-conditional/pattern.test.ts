import { describe, expect, it } from "vitest";
import { compilePattern } from "./pattern.ts";

function find(source: string, text: string): boolean {
  const pattern = compilePattern(source);
  if (typeof pattern === "string") throw new Error(`${source} ${pattern}`);
  return pattern.foundIn(text);
}

describe("a pattern", () => {
  it.each([
    ["b", "abc", true],
    ["^b", "abc", false],
    ["c$", "abc", true],
    ["c$", "abc\n", false],
    ["^$", "", true],
    ["", "x", true],
    ["^gpt-[45](\\.\\d+)?(-mini)?$", "gpt-4.1-mini", true],
    ["\\/v1\\/", "/v1/chat", true],
    ["[^]", "\n", true],
    ["[\\]x{9}]", "{", true],
    ["^(?<year>\\d{4})-\\d{2}$", "2024-05", true],
    ["^\\u0041\\x42$", "AB", true],
    ["^.{3}$", "äöü", true],
    ["\\p{L}", "ß", true],
    ["^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.[a-z]{2,63}$", "example.org", true],
  ])("%j in %j is found: %j", (source, text, expected) => {
    expect(find(source, text)).toBe(expected);
  });

  it.each(["(a+)+$", "(a|aa)+$", "(a*)*b", "([a-z]+)*!", "(.*)(.*)(.*)(.*)x$"])(
    "%j is done with a text it would take others an age to search",
    (source) => {
      // Others would be at it when the time of the test is over.
      expect(() => find(source, `${"a".repeat(100_000)}!b`)).not.toThrow();
    },
  );

  it.each([
    ["(?:a?){1000}".repeat(80)],
    ["(?:[a-z]{0,30}){0,33}x".repeat(40)],
    ["((a{9}){9}){99}"],
    [`(${"a?".repeat(490)}){100}`],
  ])("%j is too large", (source) => {
    expect(compilePattern(source)).toBe("repeats too much");
  });

  it("searches a very long text as far as its size allows", () => {
    const text = `${"x".repeat(6_000_000)}needle`;
    expect(find("^x+", text)).toBe(true);
    expect(find("needle", text)).toBe(false);
    expect(find("needle", text.slice(-100_000))).toBe(true);
  });
});
