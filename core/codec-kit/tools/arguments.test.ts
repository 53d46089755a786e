import fc from "fast-check";
import { expect, it } from "vitest";
import { argumentsObject, objectArguments } from "./arguments.ts";

it.each(["{}", '{"a":{"b":"}"}}', "", " ", '\n{"a": "\\"}"}\n', '{"a":"ž\\u0022{"}'])("keeps what %j says", (args) => {
  expect(argumentsObject(objectArguments(args))).toEqual(argumentsObject(args));
});

it.each(['{"a":', '{"a":{"b":1}', '{"a":"}', '{"a":"\\"}', "[1]", "42", "null", '"x"', "so."])(
  "writes an object for %j",
  (args) => {
    expect(JSON.parse(objectArguments(args))).toEqual(argumentsObject(args));
  },
);

it("keeps every object as it was written, and says the text of each that is cut off somewhere", () => {
  const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ stringUnit: "binary" }));
  const property = fc.property(object, fc.nat(), fc.constantFrom(undefined, " "), (value, place, space) => {
    const whole = JSON.stringify(value, null, space);
    expect(objectArguments(whole)).toBe(whole);
    const cut = whole.slice(0, 1 + (place % (whole.length - 1)));
    if (cut.length < whole.length) expect(JSON.parse(objectArguments(cut))).toEqual({ INVALID_JSON: cut });
  });
  fc.assert(property, { seed: 7, numRuns: 100 });
});
