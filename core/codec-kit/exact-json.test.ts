import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amongNumbers, asReadIn, readJson, writeJson } from "./exact-json.ts";

const id = "1234567890123456789";

describe("whole numbers in JSON that a double cannot hold", () => {
  it.each([
    `{"id":${id}}`,
    `{"a":{"b":[1,{"c":-${id}},${id}]},"d":${id}000000000000}`,
    `[${id},1.5,9007199254740993,12345678901234567890]`,
    `{"a\\"b\\\\":${id},"text":"\\"${id},${id}]"}`,
    `{"__proto__":${id},"constructor":{"x":${id}}}`,
    `{"modulus":${"7".repeat(617)},"none":null}`,
    `{"float":0.12345678901234568,"big":1e+25,"safe":9007199254740991,"even":9007199254740992}`,
  ])("leave as they came: %s", (text) => {
    expect(writeJson(readJson(text))).toBe(text);
  });

  it("leave as they came, whatever surrounds them", () => {
    const number = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map((big) => `${big}`);
    const text = fc.string({ unit: "grapheme" }).map((one) => JSON.stringify(one));
    const { any } = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        number,
        text,
        fc.constantFrom("true", "null", "0.25"),
        tie("list"),
        tie("map"),
      ),
      list: fc.array(tie("any") as fc.Arbitrary<string>).map((all) => `[${all.join(",")}]`),
      map: fc
        .uniqueArray(fc.tuple(fc.string().filter(isNoIndex), tie("any") as fc.Arbitrary<string>), {
          selector: ([name]) => name,
        })
        .map((all) => `{${all.map(([name, one]) => `${JSON.stringify(name)}:${one}`).join(",")}}`),
    }));
    fc.assert(
      fc.property(any as fc.Arbitrary<string>, (one) => {
        expect(writeJson(readJson(`{"it":${one}}`))).toBe(`{"it":${one}}`);
      }),
    );
  });

  it("leave as they came where people read them", () => {
    expect(writeJson(readJson(`{"a":[${id}],"b":1}`), 2)).toBe(`{\n  "a": [\n    ${id}\n  ],\n  "b": 1\n}`);
  });

  it("stay what they are where a part of what was read is written", () => {
    const read = readJson(`{"input":{"id":${id}}}`) as { input: object };
    expect(writeJson(read.input)).toBe(`{"id":${id}}`);
    expect(writeJson({ other: [read.input] })).toBe(`{"other":[{"id":${id}}]}`);
  });

  it("are what was said instead where they are changed", () => {
    const read = readJson(`{"id":${id},"n":${id}}`) as { id: number; n: number };
    read.id = 1234567890123456000;
    expect(writeJson(read)).toBe(`{"id":1234567890123456000,"n":${id}}`);
  });

  it("stay in a copy that says what it is made of", () => {
    const read = readJson(`{"id":${id},"b":1}`) as object;
    expect(writeJson({ ...read })).toBe('{"id":1234567890123456800,"b":1}');
    expect(writeJson(asReadIn(read, { ...read, b: 2 }))).toBe(`{"id":${id},"b":2}`);
  });

  it("are found again in what was made of all that was read, wherever they stand there", () => {
    const read = readJson(`{"seed":${id},"tools":[{"maximum":-${id}}],"n":9007199254740993,"m":9007199254740992}`);
    const made = { config: { seed: 1234567890123456800 }, limits: [-1234567890123456800, 5e20], k: 9007199254740992 };
    // Of two numbers that are one double nobody knows which of them it was.
    expect(writeJson(asReadIn(read as object, made))).toBe(
      `{"config":{"seed":${id}},"limits":[-${id},500000000000000000000],"k":9007199254740992}`,
    );
    expect(writeJson({ seed: 1234567890123456800 })).toBe('{"seed":1234567890123456800}');
  });

  it("leave numbers beside them that are written otherwise what they are", () => {
    const read = readJson(`{"id":${id},"x":[1e20,-1.5e300,12345678901234567890.0,1e21],"m":1.7976931348623157e308}`);
    const text = `{"id":${id},"x":[100000000000000000000,-1.5e+300,12345678901234567000,1e+21],"m":1.7976931348623157e+308}`;
    expect(writeJson(read)).toBe(text);
    expect(writeJson(asReadIn(read as object, JSON.parse(text)))).toBe(text);
    const twice = readJson('{"a":1e23,"b":[100000000000000000000001,99999999999999999999999]}');
    expect(writeJson(twice)).toBe('{"a":1e+23,"b":[100000000000000000000001,99999999999999999999999]}');
  });

  it("follow the last of two members with one name, as in every reader", () => {
    const [first, last] = ["7".repeat(400), "8".repeat(400)];
    expect(writeJson(readJson(`{"a":${first},"a":${last}}`))).toBe(`{"a":${last}}`);
    expect(writeJson(readJson(`{"a":${id},"a":{"b":${id}}}`))).toBe(`{"a":{"b":${id}}}`);
    expect(writeJson(readJson(`{"a":{"b":${id}},"a":${id}1}`))).toBe(`{"a":${id}1}`);
    // As doubles both are the same, and the last one is exact.
    for (const last of ["9007199254740992", "9007199254740992.0"])
      for (const [before, after] of [
        ["", ""],
        ['{"b":', "}"],
      ]) {
        const text = `{"a":${before}9007199254740993${after},"a":${before}${last}${after}}`;
        expect(writeJson(readJson(text))).toBe(`{"a":${before}9007199254740992${after}}`);
      }
    expect(writeJson(readJson('{"a":10000000000000001,"a":1e16}'))).toBe('{"a":10000000000000000}');
  });

  it("are doubles where there are more of them than anybody needs", () => {
    const text = writeJson(readJson(`[${Array(10_002).fill(id).join(",")}]`));
    expect([...text.matchAll(/1234567890123456789/g)]).toHaveLength(10_000);
    expect(text.endsWith(",1234567890123456800,1234567890123456800]")).toBe(true);
  });

  it("throw what JSON.parse throws where it is none", () => {
    expect(() => readJson(`{"a":${id}`)).toThrow(SyntaxError);
    expect(writeJson(undefined)).toBe(undefined);
  });
});

/** Names that are numbers come first in every object. */
const isNoIndex = (name: string): boolean => !/^\d+$/.test(name);

describe("texts that belong together", () => {
  const first = `{"a":${id}}`;
  const copied = (text: string) => ({ ...(readJson(text) as object) });

  it("lend their numbers to what is made of their members, and to nothing else", () => {
    const numbers = new Map();
    const made = amongNumbers(numbers, () => copied(first));
    expect(amongNumbers(numbers, () => writeJson(made))).toBe(first);
    expect(writeJson(made)).toBe('{"a":1234567890123456800}');
    expect(amongNumbers(new Map(), () => writeJson(made))).toBe('{"a":1234567890123456800}');
  });

  it("lend none that was written in two ways", () => {
    const numbers = new Map();
    const made = amongNumbers(numbers, () => [copied(first), copied('{"a":1234567890123456790}')]);
    expect(amongNumbers(numbers, () => writeJson(made[0]))).toBe('{"a":1234567890123456800}');
  });

  it("do not lend theirs to others while something fails", () => {
    expect(() => amongNumbers(new Map(), () => raise())).toThrow("no");
    expect(writeJson(copied(first))).toBe('{"a":1234567890123456800}');
  });
});

const raise = (): never => {
  throw new Error("no");
};
