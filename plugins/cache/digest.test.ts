import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Secret } from "../../core/index.ts";
import { canonicalJson, digestOf } from "./digest.ts";

describe("a digest", () => {
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

describe("canonical JSON", () => {
  it("is JSON of the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("does not know the order of keys, but that of lists", () => {
    expect(canonicalJson({ b: { d: 1, c: [2, 1] }, a: null })).toBe('{"a":null,"b":{"c":[2,1],"d":1}}');
    expect(canonicalJson({ a: { c: [2, 1], d: 1 }, b: 0 }, new Set(["b"]))).toBe('{"a":{"c":[2,1],"d":1}}');
    expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
  });

  it("leaves keys out at the top only", () => {
    expect(canonicalJson({ model: 1, a: { model: 2 } }, new Set(["model"]))).toBe('{"a":{"model":2}}');
  });

  it("knows keys with names of their own", () => {
    const own = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    expect(canonicalJson(own)).toBe('{"__proto__":{"a":1},"constructor":2}');
    expect(canonicalJson(own)).not.toBe(canonicalJson({ constructor: 2 }));
  });

  it("never has a secret in it", () => {
    expect(canonicalJson({ key: new Secret("private") })).toBe('{"key":"[secret]"}');
  });
});
