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
  ["an object or null, and nothing of it", { type: ["object", "null"] }, { type: "object", properties: {} }, 0],
  [
    "several things that hold together and cannot be said in one",
    {
      allOf: [
        { not: { required: ["a"] }, additionalProperties: text },
        { not: { required: ["b"] }, additionalProperties: count },
      ],
    },
    {
      type: "object",
      description:
        '{"not":{"required":["a"]},"additionalProperties":{"type":"integer"},"allOf":[{"not":{"required":["b"]}}]}',
      properties: {},
      additionalProperties: text,
    },
    1,
  ],
  [
    "what is said under a name with a slash",
    { $ref: "#/$defs/a~1b", $defs: { "a/b": { properties: { a: text } } } },
    { type: "object", properties: { a: text }, $defs: { "a/b": { properties: { a: text } } } },
    0,
  ],
  [
    "what is said somewhere else",
    { $ref: "https://example.com/a" },
    { type: "object", description: '{"$ref":"https://example.com/a"}', properties: {} },
    1,
  ],
])("a schema of arguments that says %s is one object", (_what, schema, plain, losses) => {
  let lost = 0;
  expect(plainObjectSchema({ ...schema }, () => lost++)).toEqual(plain);
  expect(lost).toBe(losses);
});

it("properties of a schema of arguments may have names that every object has", () => {
  const wire =
    '{"constructor":1,"allOf":[{"properties":{"__proto__":{"type":"string"},"toString":{}}},{"properties":{"a":{}}}]}';
  const plain = plainObjectSchema(JSON.parse(wire), () => {});
  expect(JSON.stringify(plain)).toBe(
    '{"type":"object","constructor":1,"properties":{"__proto__":{"type":"string"},"toString":{},"a":{}}}',
  );
});

it.each<[string, object]>([
  [
    "refer to each other without end",
    {
      $ref: "#/$defs/d0",
      $defs: Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`d${at}`, { anyOf: Array(2).fill({ $ref: `#/$defs/d${at + 1}` }) }]),
      ),
    },
  ],
  // Whoever goes through all properties for each alternative takes minutes for it.
  ["are too many", { anyOf: [{ properties: manyOf(20_000) }, ...Array.from({ length: 20_000 }, () => ({}))] }],
  [
    "are too many, and hold together",
    { properties: manyOf(20_000), allOf: Array.from({ length: 900 }, () => ({ properties: { a: {} } })) },
  ],
])("a schema of arguments whose parts %s stays as it is", (_what, schema) => {
  expect(plainObjectSchema({ ...schema }, () => {})).toEqual(schema);
});

function manyOf(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, text]));
}
