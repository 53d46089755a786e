import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asReadIn, asWritten, readJson, Secret } from "../../core/index.ts";
import { canonicalText, digestOf } from "./digest.ts";

describe("a digest", () => {
  it("differs where a long number of a request that was made anew does", () => {
    const textOf = (seed: string) =>
      canonicalText(asWritten(asReadIn(readJson(`{"seed":${seed}}`) as object, { settings: { seed: Number(seed) } })));
    expect(textOf("1234567890123456789")).not.toBe(textOf("1234567890123456790"));
    expect(textOf("7")).toBe(canonicalText({ settings: { seed: 7 } }));
  });

  it("differs wherever the parts do", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (one, other) => {
        expect(digestOf(one) === digestOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
    expect(digestOf(["ab", "c"])).not.toBe(digestOf(["a", "bc"]));
    expect(digestOf(["1:a"])).not.toBe(digestOf(["", "a"]));
    expect(digestOf(["é"])).not.toBe(digestOf(["e", ""]));
  });
});

/** Reads a canonical text, which shows that nothing of a value is lost in it. */
function valueIn(text: string): unknown {
  let at = 0;
  const literal = (): string =>
    /^(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)/.exec(text.slice(at))?.[0] ?? raise(`nothing at ${at} of ${text}`);
  const list = <Item>(end: string, item: () => Item): Item[] => {
    const items: Item[] = [];
    for (at++; text[at] !== end; at += text[at] === "," ? 1 : 0) items.push(item());
    at++;
    return items;
  };
  const pair = (): [unknown, unknown] => {
    const key = value();
    at++;
    return [key, value()];
  };
  const value = (): unknown => {
    if (text[at] === "[") return list("]", value);
    if (text[at] === "{") return Object.fromEntries(list("}", pair));
    const found = literal();
    at += found.length;
    if (text[at] !== '"' || found.startsWith('"')) return JSON.parse(found);
    at += 1 + Number(found);
    return text.slice(at - Number(found), at);
  };
  const whole = value();
  expect(at).toBe(text.length);
  return whole;
}

const raise = (message: string): never => {
  throw new Error(message);
};

describe("a canonical text", () => {
  it("has all of the value in it, whatever characters there are", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("\ud800", "\udc00", '"', "1", "a") }),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(texts, fc.jsonValue(), fc.array(tie("value")), fc.dictionary(texts, tie("value"))),
    }));
    fc.assert(
      fc.property(value, (one) => {
        expect(valueIn(canonicalText(one))).toEqual(JSON.parse(JSON.stringify(one)));
        expect(canonicalText(one).isWellFormed()).toBe(true);
      }),
    );
  });

  it("does not know the order of keys, but that of lists", () => {
    expect(canonicalText({ b: { d: 1, c: [2, 1] }, a: null })).toBe('{1"a:null,1"b:{1"c:[2,1],1"d:1}}');
    expect(canonicalText({ a: { c: [2, 1], d: 1 }, b: 0 }, new Set(["b"]))).toBe('{1"a:{1"c:[2,1],1"d:1}}');
    expect(canonicalText({ a: undefined, b: [undefined] })).toBe('{1"b:[null]}');
  });

  it("tells numbers apart that are the same double", () => {
    const textOf = (id: string) => canonicalText(readJson(`{"a":[${id}],"b":{"c":${id}}}`));
    expect(textOf("1234567890123456789")).toBe('{1"a:[1234567890123456789],1"b:{1"c:1234567890123456789}}');
    expect(textOf("1234567890123456789")).not.toBe(textOf("1234567890123456790"));
  });

  it("leaves keys out at the top only", () => {
    expect(canonicalText({ model: 1, a: { model: 2 } }, new Set(["model"]))).toBe('{1"a:{5"model:2}}');
  });

  it("knows keys with names of their own", () => {
    const own = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    expect(canonicalText(own)).toBe('{9"__proto__:{1"a:1},11"constructor:2}');
    expect(canonicalText(own)).not.toBe(canonicalText({ constructor: 2 }));
  });

  it("never has a secret in it", () => {
    expect(canonicalText({ key: new Secret("private") })).toBe('{3"key:8"[secret]}');
  });
});
