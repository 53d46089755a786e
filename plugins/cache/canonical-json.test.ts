import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CanonicalJson } from "./canonical-json.ts";

const writer = new CanonicalJson(["model", "stream"]);
const written = (json: string | Buffer, head = "") => writer.write(head, Buffer.from(json))?.toString();

/** JSON of a value as somebody else would write it: in another order, with other escapes and other space. */
function otherwise(value: unknown, salt: number): string {
  const space = [" ", "", "\n\t", "\r\n  "][salt % 4] ?? "";
  const around = (text: string) => `${space}${text}${space}`;
  if (typeof value === "string")
    return around(`"${[...JSON.stringify(value).slice(1, -1)].map(escaped(salt)).join("")}"`);
  if (typeof value === "number" && salt % 3 === 0 && Number.isInteger(value) && Math.abs(value) < 1e9)
    return around(value === 0 ? "0" : `${value}.0`);
  if (typeof value !== "object" || value === null) return around(JSON.stringify(value));
  if (Array.isArray(value)) return around(`[${value.map((one) => otherwise(one, salt + 1)).join()}]`);
  const members = Object.entries(value).map(([name, one]) => `${otherwise(name, salt)}:${otherwise(one, salt + 1)}`);
  return around(`{${(salt % 2 ? members.reverse() : members).join()}}`);
}

/** Characters as they may be written in a text: `\u0041`, `\/`. What is escaped already stays so. */
const escaped = (salt: number) => (character: string, at: number, all: readonly string[]) => {
  const code = character.codePointAt(0) ?? 0;
  if (character === "/" && salt % 2) return "\\/";
  if (code < 0x80 || code > 0xffff || (salt + at) % 3) return character;
  return all.length > 0 ? `\\u${code.toString(16).padStart(4, "0")}` : character;
};

const names = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("__proto__", "a", "aa", "é", 'q"', "n\n", "\u2028"),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.jsonValue(),
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.array(tie("value")),
    fc.dictionary(names, tie("value")),
  ),
}));
const objects = fc.dictionary(names, value).map((one) => JSON.parse(JSON.stringify(one)) as Record<string, unknown>);

describe("canonical JSON", () => {
  it("says all that was said, and nothing else", () => {
    fc.assert(
      fc.property(objects, (object) => {
        const { model: _, stream: __, ...kept } = object;
        expect(JSON.parse(written(JSON.stringify(object)) ?? "")).toEqual(JSON.parse(JSON.stringify(kept)));
      }),
    );
  });

  it("is the same however an object is written", () => {
    fc.assert(
      fc.property(objects, fc.nat(), (object, salt) => {
        const other = otherwise(object, salt);
        expect(JSON.parse(other)).toEqual(object);
        expect(written(other)).toBe(written(JSON.stringify(object)));
      }),
    );
  });

  it.each([
    ['{"b":[3,{"z":null,"y":true}],"a":"x"}', '{"a":"x","b":[3,{"y":true,"z":null}]}'],
    ['{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
    ['{"aa":1,"a":2}', '{"a":2,"aa":1}'],
    ['{"stream":true,"a":{"stream":true},"model":"m"}', '{"a":{"stream":true}}'],
    ['{"a":1.50,"b":1e2,"c":-0.5}', '{"a":1.5,"b":100,"c":-0.5}'],
    ['{"a":"\\u0041\\/\\n\\"\\u00e9\\ud800"}', '{"a":"A/\\n\\"é\\ud800"}'],
    ['{"__proto__":1,"\\u0061":2}', '{"__proto__":1,"a":2}'],
    ["{}", "{}"],
    ['{"a":[],"b":{}}', '{"a":[],"b":{}}'],
  ])("of %s is %s", (json, canonical) => {
    expect(written(json)).toBe(canonical);
  });

  it.each([
    ["12345678901234567890", "12345678901234567891"],
    ["1e400", "1e401"],
    ["0.1234567890123456789", "0.12345678901234568"],
  ])("keeps the numbers %s and %s apart, which read as one", (one, other) => {
    expect(Number(one)).toBe(Number(other));
    expect(written(`{"a":${one}}`)).not.toBe(written(`{"a":${other}}`));
  });

  it("stands behind what comes first", () => {
    expect(written('{"a":1}', "4:Grüß")).toBe('4:Grüß{"a":1}');
  });

  // Whoever looked for the end of the text behind each line of it would be at it for minutes.
  const prose = `${"All work and no play makes a dull day. ".repeat(2)}\n`.repeat(100_000);

  it("of long texts, with and without escapes, is what is in them", () => {
    for (const text of [
      "a".repeat(100_000),
      'const a = "x";\n'.repeat(5_000),
      `${"é".repeat(999)}\\`,
      "\\".repeat(99),
      prose,
    ]) {
      const json = JSON.stringify({ b: text, a: text });
      expect(written(json)).toBe(JSON.stringify({ a: text, b: text }));
    }
  });

  it.each([
    "",
    "{",
    "[1]",
    '"a"',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,"a":1}',
    '{"a":1}}',
    '{"a":1 2}',
    '{"a":tru}',
    '{"a":01}',
    '{"a":1.}',
    '{"a":-}',
    '{"a":"\\x"}',
    '{"a":"\\u12"}',
    '{"a":"b',
    '{"a":"b\\',
    "{'a':1}",
    '{"a":[1,]}',
    '{"a":[1}',
    '\ufeff{"a":1}',
    `{"a":${"[".repeat(500)}${"]".repeat(500)}}`,
    `{"a":[${"1,".repeat(300_000)}1]}`,
  ])("is not made of %.40s", (json) => {
    expect(written(json)).toBeUndefined();
    expect(written('{"a":1}')).toBe('{"a":1}');
  });

  it("is not made of what is no text", () => {
    expect(written(Buffer.from('{"a":"\\u0041\xff"}', "latin1"))).toBeUndefined();
  });

  it("is made only of what JSON.parse reads, too", () => {
    const broken = fc.tuple(objects, fc.nat(), fc.constantFrom(...'{}[]:,"\\0a. ')).map(([object, at, character]) => {
      const json = JSON.stringify(object);
      const place = at % (json.length + 1);
      return (json.slice(0, place) + character + json.slice(place + (at % 2))).toWellFormed();
    });
    fc.assert(
      fc.property(broken, (json) => {
        const found = written(json);
        if (found !== undefined) expect(readAgain(found.toString())).toEqual(withoutSome(readAgain(json)));
        else expect(isObject(json)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

/** What JSON says, where -0 is 0. */
const readAgain = (json: string) => JSON.parse(JSON.stringify(JSON.parse(json)));

const withoutSome = ({ model: _, stream: __, ...rest }: Record<string, unknown>) => rest;

function isObject(json: string): boolean {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === "object" && read !== null && !Array.isArray(read);
  } catch {
    return false;
  }
}
