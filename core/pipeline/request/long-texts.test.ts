import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonBytes, longFrom, parseAround } from "./long-texts.ts";
import { peeker } from "./peek.ts";

const peek = peeker([]);

function parsed(body: string | Buffer) {
  const bytes = Buffer.from(body);
  return parseAround(bytes, peek(bytes)?.longTexts ?? []);
}

/** What is left of a body that was parsed and written again. */
function again(body: string): string {
  const { value, texts } = parsed(body) ?? {};
  return jsonBytes(value, texts).toString();
}

const line = "a line of a long text, ";
const long = line.repeat(Math.ceil(longFrom / line.length));

describe("long texts of a body", () => {
  it("are written as they were, wherever they stand in another one", () => {
    const escaped = `${long}\\u4f60\\/\\n`;
    const { value, texts } = parsed(`{"messages":[{"role":"user","content":"${escaped}"}],"n":1}`) ?? {};
    const { content } = (value as { messages: [{ content: string }] }).messages[0];
    expect(content).toBe(`${long}你/\n`);
    const other = { system: "short", parts: [{ text: content, more: [content] }], last: null };
    expect(jsonBytes(other, texts).toString()).toBe(
      `{"system":"short","parts":[{"text":"${escaped}","more":["${escaped}"]}],"last":null}`,
    );
    expect(other.parts[0]?.text).toBe(content);
  });

  it("are written anew where they were changed", () => {
    const { texts } = parsed(`{"text":"${long}"}`) ?? {};
    const changed = { text: `${long}"`, other: [long.slice(1)] };
    expect(jsonBytes(changed, texts).toString()).toBe(JSON.stringify(changed));
  });

  it.each([
    ["as values of the body itself", `{"text":"${long}"}`],
    ["in lists", `{"texts":["${long}","short","${long}x"]}`],
    ["beside names that are as long", `{"a":{"${long}":"${long}"}}`],
    ["beside spaces", `{ "a" : { "b" : "${long}" } , "c" : [ "${long}" ] }`],
    ["in characters of any language", `{"text":"${"日本 🍵 é".repeat(longFrom)}"}`],
    ["under names of numbers", `{"b":"${long}b","1":"${long}1"}`],
  ])("are known %s", (_, body) => {
    expect(parsed(body)?.value).toEqual(JSON.parse(body));
    expect(JSON.parse(again(body))).toEqual(JSON.parse(body));
  });

  it.each([
    ["bytes that are no text", Buffer.concat([Buffer.from(`{"a":"${long}`), Buffer.from([0xff]), Buffer.from('"}')])],
    ["a text with a character that must be escaped", `{"a":"${long}\n"}`],
    ["an escape that is none", `{"a":"${long}\\x"}`],
    ["JSON that is none", `{"a":"${long}","b":tru}`],
    ["the same name twice", `{"a":"${long}","a":"${long}"}`],
    ["a name that is no member", `{"__proto__":"${long}"}`],
    ["levels over levels", `{"a":${"[".repeat(40)}"${long}"${"]".repeat(40)}}`],
  ])("are not told from the rest in %s", (_, body) => {
    expect(parsed(body)).toBeUndefined();
  });

  it("leave every body what it is", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc
        .string({ unit: "grapheme", minLength: 1, maxLength: 9 })
        .map((some) => some.repeat(Math.ceil(longFrom / some.length))),
    );
    const value = fc.dictionary(fc.string(), fc.jsonValue({ stringUnit: "binary", maxDepth: 3 }));
    fc.assert(
      fc.property(value, fc.array(text), fc.constantFrom(undefined, 1), (object, texts, indent) => {
        const whole = { ...object, texts, nested: { texts: [...texts].reverse() } };
        const body = JSON.stringify(whole, null, indent);
        const read = parsed(body);
        if (!read) return;
        expect(read.value).toEqual(JSON.parse(body));
        expect(jsonBytes(read.value, read.texts).toString()).toBe(JSON.stringify(JSON.parse(body)));
      }),
    );
  });
});
