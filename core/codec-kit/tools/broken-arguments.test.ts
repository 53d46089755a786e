import fc from "fast-check";
import { expect, it } from "vitest";
import { argumentsObject, objectArguments } from "./arguments.ts";
import { holdsBrokenArguments } from "./broken-arguments.ts";

const held = (args: unknown, space?: string): boolean =>
  holdsBrokenArguments(Buffer.from(JSON.stringify({ name: "f", arguments: args, id: "1" }, null, space)));

it.each(["{}", '{"a":{"b":"}"}}', "", " ", '\n{"a": "\\"}"}\n', '{"a":"ž\\u0022{"}'])("lets %j pass", (args) => {
  expect(held(args)).toBe(false);
  expect(held(args, "  ")).toBe(false);
  expect(argumentsObject(objectArguments(args))).toEqual(argumentsObject(args));
});

it.each(['{"a":', '{"a":{"b":1}', '{"a":"}', '{"a":"\\"}', "[1]", "42", "null", '"x"', "so."])("finds %j", (args) => {
  expect(held(args)).toBe(true);
  expect(held(args, "  ")).toBe(true);
  expect(JSON.parse(objectArguments(args))).toEqual(argumentsObject(args));
});

it("does not take a parameter of a tool for a call", () => {
  expect(held({ type: "string" })).toBe(false);
  expect(held(null)).toBe(false);
  expect(holdsBrokenArguments(Buffer.from(JSON.stringify({ content: '"arguments":"{' })))).toBe(false);
  expect(holdsBrokenArguments(Buffer.from('{"required":["arguments"]}'))).toBe(false);
});

it("finds every object that is cut off somewhere, and none that is whole", () => {
  const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ stringUnit: "binary" }));
  const property = fc.property(object, fc.nat(), fc.constantFrom(undefined, " "), (value, place, space) => {
    const whole = JSON.stringify(value, null, space);
    expect(held(whole)).toBe(false);
    expect(objectArguments(whole)).toBe(whole);
    const cut = whole.slice(0, 1 + (place % (whole.length - 1)));
    if (cut.length < whole.length) expect(held(cut)).toBe(true);
  });
  fc.assert(property, { seed: 7, numRuns: 100 });
});
