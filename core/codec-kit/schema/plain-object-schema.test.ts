import { expect, it } from "vitest";
import { plainObjectSchema } from "./plain-object-schema.ts";

const text = { type: "string" };
const count = { type: "integer" };

it.each<[string, object, object, number]>([
  ["an object", { type: "object", properties: { a: text } }, { type: "object", properties: { a: text } }, 0],
  [
    "an object or null",
    { type: ["object", "null"], properties: { a: text }, required: ["a"] },
    { type: "object", properties: { a: text }, required: ["a"] },
    0,
  ],
  [
    "one alternative besides null",
    { anyOf: [{ type: "object", properties: { a: text }, required: ["a"] }, { type: "null" }] },
    { type: "object", properties: { a: text }, required: ["a"] },
    0,
  ],
  [
    "what is said elsewhere",
    { $ref: "#/$defs/a", $defs: { a: { type: "object", properties: { a: { $ref: "#/$defs/a" } } } } },
    {
      type: "object",
      properties: { a: { $ref: "#/$defs/a" } },
      $defs: { a: { type: "object", properties: { a: { $ref: "#/$defs/a" } } } },
    },
    0,
  ],
  [
    "all of several",
    {
      title: "T",
      allOf: [
        { properties: { a: text, b: count }, required: ["a"] },
        { properties: { b: { minimum: 1 }, c: text }, required: ["c", "a"], additionalProperties: false },
      ],
    },
    {
      type: "object",
      title: "T",
      properties: { a: text, b: { allOf: [count, { minimum: 1 }] }, c: text },
      required: ["a", "c"],
      additionalProperties: false,
    },
    0,
  ],
  [
    "that one of several is there",
    {
      type: "object",
      description: "Edits.",
      properties: { id: text, a: text, b: text },
      required: ["id"],
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    {
      type: "object",
      description: 'Edits.\n{"anyOf":[{"required":["a"]},{"required":["b"]}]}',
      properties: { id: text, a: text, b: text },
      required: ["id"],
    },
    1,
  ],
  [
    "one of several objects",
    {
      oneOf: [
        { type: "object", properties: { kind: { const: "a" }, a: text }, required: ["kind", "a"] },
        { type: "object", properties: { kind: { const: "b" }, b: text }, required: ["kind", "b"] },
        { type: "object", properties: { kind: { const: "c" } }, required: ["kind"] },
      ],
    },
    {
      type: "object",
      description: expect.stringMatching(/^\{"oneOf":\[/),
      properties: { kind: { anyOf: [{ const: "a" }, { const: "b" }, { const: "c" }] }, a: text, b: text },
      required: ["kind"],
    },
    1,
  ],
  [
    "what it is not",
    { type: "object", properties: { a: text }, not: { required: ["b"] } },
    { type: "object", description: '{"not":{"required":["b"]}}', properties: { a: text } },
    1,
  ],
  [
    "alternatives that something refers into, which vendors are left to refuse",
    { anyOf: [{ properties: { a: text } }, { properties: { b: { $ref: "#/anyOf/0" } } }] },
    { anyOf: [{ properties: { a: text } }, { properties: { b: { $ref: "#/anyOf/0" } } }] },
    0,
  ],
  [
    "itself",
    { $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/a" }], properties: { a: text } } } },
    {
      type: "object",
      properties: { a: text },
      $defs: { a: { allOf: [{ $ref: "#/$defs/a" }], properties: { a: text } } },
    },
    0,
  ],
])("a schema of arguments that says %s is one object", (_what, schema, plain, losses) => {
  let lost = 0;
  expect(plainObjectSchema({ ...schema }, () => lost++)).toEqual(plain);
  expect(lost).toBe(losses);
});

it("a schema of arguments whose parts refer to each other without end stays as it is", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`d${at}`, { allOf: Array(2).fill({ $ref: `#/$defs/d${at + 1}` }) }]),
  );
  const schema = { $ref: "#/$defs/d0", $defs };
  expect(plainObjectSchema(schema, () => {})).toBe(schema);
});
