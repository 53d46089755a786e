import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { peeker, valueAt } from "./peek.ts";

const look = (text: string) => {
  const bytes = Buffer.from(text);
  const found = peeker(["model", "stream"])(bytes);
  return (
    found && {
      keys: [...found.keys],
      values: Object.fromEntries([...found.ranges].map(([key, range]) => [key, valueAt(bytes, range)])),
    }
  );
};

describe("peeking into a JSON body", () => {
  it("finds the wanted values without parsing the rest", () => {
    expect(look('{"messages":[{"content":"}\\"]{"}],"model":"a/b","stream" : true }')).toEqual({
      keys: ["messages", "model", "stream"],
      values: { model: "a/b", stream: true },
    });
  });

  it("takes the last of two equal keys, as a parser does", () => {
    expect(look('{"model":"one","model":"two"}')?.values).toEqual({ model: "two" });
  });

  it("knows keys however they are written", () => {
    expect(look('{"mod\\u0065l":"a","str\\"eam":1,"m":2}')).toEqual({
      keys: ["model", 'str"eam', "m"],
      values: { model: "a" },
    });
    expect(look('{"mod\\x65l":"a"}')).toBeUndefined();
  });

  it("ignores keys of nested objects", () => {
    expect(look('{"x":{"model":"inner"}}')?.values).toEqual({});
  });

  it.each([
    "",
    "[]",
    "nope",
    "{",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1} x',
    '{"a":[}',
    '{"a":"x',
    "{'a':1}",
    '{"a":01}',
    '{"a":tru}',
  ])("leaves %j to a real parser", (text) => expect(look(text)).toBeUndefined());

  it("agrees with JSON.parse on every object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 2), (object, indent) => {
        const bytes = Buffer.from(JSON.stringify(object, null, indent));
        const parsed = JSON.parse(bytes.toString());
        const found = peeker(Object.keys(parsed))(bytes);
        expect([...(found?.keys ?? [])].sort()).toEqual(Object.keys(parsed).sort());
        expect(found?.ranges.size).toBe(Object.keys(parsed).length);
        for (const [key, range] of found?.ranges ?? []) expect(valueAt(bytes, range)).toEqual(parsed[key]);
      }),
    );
  });
});
