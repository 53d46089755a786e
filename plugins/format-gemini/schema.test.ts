import { expect, it } from "vitest";
import { asJsonSchema, cleaned } from "./schema.ts";

it("puts references in place, and leaves those that lead back to themselves", () => {
  const node = {
    type: "object",
    properties: { next: { $ref: "#/$defs/Node" }, additionalProperties: { type: "string" } },
  };
  expect(
    cleaned({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { first: { $ref: "#/$defs/Node", description: "The first." }, gone: { $ref: "#/$defs/None" } },
      $defs: { Node: node },
      additionalProperties: false,
    }),
  ).toEqual({
    type: "object",
    properties: {
      first: { ...node, description: "The first." },
      gone: { $ref: "#/$defs/None" },
    },
  });
});

it("says null among the alternatives with a keyword", () => {
  expect(
    cleaned({
      type: "object",
      properties: {
        one: { description: "d", oneOf: [{ type: "null" }, { type: "string" }] },
        several: { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
        plain: { anyOf: [{ type: "string" }, { type: "integer" }] },
        listed: { type: ["string", "null"], enum: ["a", null] },
      },
    }).properties,
  ).toEqual({
    one: { description: "d", type: "string", nullable: true },
    several: { anyOf: [{ type: "string" }, { type: "integer" }], nullable: true },
    plain: { anyOf: [{ type: "string" }, { type: "integer" }] },
    listed: { type: "string", enum: ["a"], nullable: true },
  });
});

it.each<[object, object]>([
  [
    { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 9.5 },
    { type: "integer", minimum: 1, maximum: 9 },
  ],
  [
    { type: "number", exclusiveMinimum: 0, minimum: 1, exclusiveMaximum: 9 },
    { type: "number", minimum: 1, maximum: 9 },
  ],
  [{ minimum: 1, exclusiveMinimum: true }, { minimum: 1 }],
  [{ const: "a" }, { type: "string", enum: ["a"] }],
  [{ type: "boolean", const: true }, { type: "boolean" }],
  [{ const: 1 }, { type: "integer" }],
  [
    { type: "integer", enum: [1, 2] },
    { type: "integer", description: "One of 1, 2." },
  ],
  [
    { enum: [0.5, 2], description: "How fast." },
    { type: "number", description: "How fast. One of 0.5, 2." },
  ],
  [
    { type: ["integer", "null"], enum: [1, null] },
    { type: "integer", nullable: true, description: "One of 1." },
  ],
  [
    { type: "boolean", enum: [true] },
    { type: "boolean", description: "One of true." },
  ],
  [{ type: "array" }, { type: "array", items: { type: "string" } }],
  [
    { type: "array", items: { description: "d" } },
    { type: "array", items: { type: "string", description: "d" } },
  ],
  [
    { type: "array", items: { $ref: "#/$defs/A" }, $defs: { A: { items: { type: "null" } } } },
    { type: "array", items: { type: "array", items: { type: "null" } } },
  ],
  [
    { type: "object", properties: { a: { type: "null" } }, required: ["a", "b"] },
    { type: "object", properties: { a: { type: "null" } }, required: ["a"] },
  ],
  [{ type: "object", required: ["a"] }, { type: "object" }],
  [
    { type: "object", properties: { a: { type: "null" } }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    { type: "object", properties: { a: { type: "null" } } },
  ],
  [
    { type: "object", properties: { a: { type: "null" } }, allOf: [{ required: ["a"] }] },
    { type: "object", properties: { a: { type: "null" } }, required: ["a"] },
  ],
  [{ enum: ["a", 1] }, { type: "string", enum: ["a", "1"] }],
  [
    { type: "string", format: "email" },
    { type: "string", description: "Format: email." },
  ],
  [
    { type: ["string", "null"], format: "uri" },
    { type: "string", nullable: true, description: "Format: uri." },
  ],
  [
    { type: "string", format: "date-time" },
    { type: "string", format: "date-time" },
  ],
  [
    { type: "integer", format: "int32" },
    { type: "integer", format: "int32" },
  ],
  [
    { type: "integer", format: "uint8" },
    { type: "integer", description: "Format: uint8." },
  ],
  [
    { type: "number", format: "double" },
    { type: "number", format: "double" },
  ],
  [
    { type: ["string", "integer"], format: "date" },
    { anyOf: [{ type: "string" }, { type: "integer" }], description: "Format: date." },
  ],
  [{ enum: ["a", null] }, { type: "string", enum: ["a"], nullable: true }],
  [
    { oneOf: [{ type: "string" }, { type: "number" }], title: "t" },
    { anyOf: [{ type: "string" }, { type: "number" }], title: "t" },
  ],
  [
    { type: ["string", "array", "null"], minLength: 1, items: { const: "a" }, description: "d" },
    {
      anyOf: [
        { type: "string", minLength: 1 },
        { type: "array", items: { type: "string", enum: ["a"] } },
      ],
      nullable: true,
      description: "d",
    },
  ],
  [
    {
      properties: { a: { type: "string" } },
      required: ["a"],
      allOf: [
        { $ref: "#/$defs/B" },
        { type: "object", required: ["a", "c"], properties: { a: { type: "null" }, c: true } },
      ],
      $defs: { B: { properties: { b: { type: "string", not: {} } } } },
    },
    { type: "object", properties: { a: { type: "string" }, b: { type: "string" }, c: {} }, required: ["a", "c"] },
  ],
  [
    { type: "array", items: [{ type: "string" }, { type: "number" }] },
    { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
  ],
  [
    {
      ...{ type: "object", propertyNames: {}, patternProperties: { a: {} }, additionalProperties: {}, $comment: "c" },
      ...{ $id: "i", examples: [{}], not: {}, if: {}, else: {}, maxProperties: 2, default: { not: 1 } },
    },
    { type: "object", maxProperties: 2, default: { not: 1 } },
  ],
])("says in keywords of the subset what %j says in others", (schema, said) => {
  expect(cleaned({ ...schema })).toEqual(said);
});

it("reads the vendor's subset as JSON Schema", () => {
  expect(
    asJsonSchema({
      type: "OBJECT",
      properties: {
        type: { type: "STRING", nullable: true, maxLength: "9" },
        list: { type: "ARRAY", items: { type: "NUMBER" } },
        either: { anyOf: [{ type: "STRING" }], nullable: true },
      },
    }),
  ).toEqual({
    type: "object",
    properties: {
      type: { type: ["string", "null"], maxLength: 9 },
      list: { type: "array", items: { type: "number" } },
      either: { anyOf: [{ type: "string" }, { type: "null" }] },
    },
  });
});
