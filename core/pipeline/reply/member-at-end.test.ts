import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memberAtEnd } from "./member-at-end.ts";

const usage = memberAtEnd("usage");
const found = (text: string) => usage(Buffer.from(text));

describe("a member found from the end", () => {
  it.each<[string, unknown]>([
    ['{"a":1,"usage":{"n":1}}', { n: 1 }],
    ['{"usage":{"n":1},"a":1}', { n: 1 }],
    ['{ "usage" :\n{ "n" : [1, {"m": "}"}] } , "a" : "]" }\n', { n: [1, { m: "}" }] }],
    ['{"usage":null,"a":1}', null],
    ['{"usage":7}', 7],
    ['{"usage":"a, }\\"b"}', 'a, }"b'],
    ['{"usage":1,"usage":2}', 2],
    ['{"usage":{"usage":{"n":2}}}', { usage: { n: 2 } }],
    ['{"usage":{"n":1},"x_groq":{"usage":{"n":2}}}', { n: 1 }],
    ['{"x_groq":{"usage":{"n":2}}}', undefined],
    ['{"a":[{"usage":1},{"usage":2}]}', undefined],
    ['{"usage":1,"a":"\\"usage\\":2"}', 1],
    ['{"usage":1,"a":"usage"}', 1],
    ['{"a":"x\\\\","usage":1,"b":"\\\\"}', 1],
    ["{}", undefined],
    ["", undefined],
    ["[1]", undefined],
  ])("%s", (text, value) => expect(found(text)).toEqual(value));

  const name = fc.constantFrom("usage", "a", '"usage":', "b\\", "", "{", "]");
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<unknown>(1, null, true, "usage", '"usage":1', "}", '\\"', "{[,:"),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(name, tie("value"), { maxKeys: 4 }),
    ),
  }));
  it("is the one that parsing all of it finds", () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 5 }), fc.constantFrom(undefined, 1, "\t"), (object, space) => {
        const text = JSON.stringify(object, undefined, space);
        expect(found(text)).toEqual((JSON.parse(text) as Record<string, unknown>).usage);
      }),
      { numRuns: 2000 },
    );
  });

  it("comes to an end with bytes that are no JSON", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('"usage"', ":", "{", "}", '"', "\\", ",", "[", "]", "1", " ")), (parts) => {
        try {
          found(parts.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
        }
      }),
    );
  });
});
