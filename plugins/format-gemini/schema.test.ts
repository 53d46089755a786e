import { expect, it, vi } from "vitest";
import { type Fields, readJson, writeJson } from "../../core/index.ts";
import { readable } from "./json-schema.ts";
import { asJsonSchema, cleaned } from "./schema.ts";

it("says choices that no double holds as they were written", () => {
  const choose = (type: string) =>
    cleaned(readJson(`{"type":"${type}","enum":[1234567890123456789,1234567890123456790]}`) as Fields);
  expect(choose("integer")).toEqual({
    type: "integer",
    description: "One of 1234567890123456789, 1234567890123456790.",
  });
  expect(choose("string")).toMatchObject({ enum: ["1234567890123456789", "1234567890123456790"] });
  const all = '{"const":1234567890123456789}';
  expect(cleaned(readJson(all) as Fields)).toEqual({ type: "integer", description: "One of 1234567890123456789." });
  const others = readJson('{"type":"object","additionalProperties":{"type":"integer","maximum":1234567890123456789}}');
  expect(cleaned(others as Fields).description).toContain('"maximum":1234567890123456789}');
  const own = readJson('{"type":"INTEGER","nullable":true,"maximum":1234567890123456789}');
  expect(writeJson(asJsonSchema(own as Fields))).toBe('{"type":["integer","null"],"maximum":1234567890123456789}');
});

const tree = { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/N" } } } };

it.each<[string, object, object]>([
  [
    "to definitions, under what is said beside them",
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { a: { $ref: "#/$defs/A", description: "Mine." }, b: { $ref: "#/definitions/B" } },
      $defs: { A: { type: "string", description: "Theirs." } },
      definitions: { B: { type: "integer" } },
      additionalProperties: false,
    },
    { properties: { a: { type: "string", description: "Mine." }, b: { type: "integer" } } },
  ],
  [
    "back to themselves, once",
    { type: "object", properties: { tree: { $ref: "#/$defs/N" } }, $defs: { N: tree } },
    {
      type: "object",
      properties: {
        tree: { type: "object", properties: { kids: { type: "array", items: { type: "object" } } } },
      },
    },
  ],
  [
    "back to themselves, whose properties may be called as keywords",
    {
      properties: { n: { $ref: "#/$defs/N" } },
      $defs: { N: { properties: { next: { $ref: "#/$defs/N" }, additionalProperties: { type: "string" } } } },
    },
    { properties: { n: { properties: { next: { type: "object" }, additionalProperties: { type: "string" } } } } },
  ],
  [
    "back to themselves, with the type and the words of what they lead to",
    {
      properties: { list: { $ref: "#/$defs/L" }, word: { $ref: "#/$defs/M" } },
      $defs: {
        L: { type: "array", description: "A list.", items: { $ref: "#/$defs/L" } },
        M: { type: ["object", "null"], properties: { m: { $ref: "#/$defs/M", description: "The next." } } },
      },
    },
    {
      properties: {
        list: {
          type: "array",
          description: "A list.",
          items: { type: "array", description: "A list.", items: { type: "string" } },
        },
        word: {
          type: "object",
          nullable: true,
          properties: { m: { type: "object", nullable: true, description: "The next." } },
        },
      },
    },
  ],
  [
    "to each other",
    {
      properties: { a: { $ref: "#/$defs/A" } },
      $defs: {
        A: { anyOf: [{ type: "null" }, { $ref: "#/$defs/B" }] },
        B: { properties: { a: { $ref: "#/$defs/A" } } },
      },
    },
    { properties: { a: { properties: { a: { type: "object" } }, nullable: true } } },
  ],
  [
    "to nothing but each other",
    {
      properties: { a: { $ref: "#/$defs/A" } },
      $defs: { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A", title: "b" } },
    },
    { properties: { a: { type: "object", title: "b" } } },
  ],
  [
    "to the whole",
    { type: "object", description: "A node.", properties: { next: { $ref: "#" }, value: { type: "number" } } },
    {
      type: "object",
      description: "A node.",
      properties: { next: { type: "object", description: "A node." }, value: { type: "number" } },
    },
  ],
  [
    "to properties and alternatives",
    {
      properties: {
        x: { type: "string", enum: ["a"] },
        y: { $ref: "#/properties/x" },
        z: { $ref: "#/properties/u/anyOf/1" },
        u: { anyOf: [{ type: "string" }, { type: "integer" }] },
      },
    },
    {
      properties: {
        x: { type: "string", enum: ["a"] },
        y: { type: "string", enum: ["a"] },
        z: { type: "integer" },
        u: { anyOf: [{ type: "string" }, { type: "integer" }] },
      },
    },
  ],
  [
    "around themselves in properties",
    { properties: { x: { type: "object", properties: { y: { $ref: "#/properties/x" } } } } },
    {
      properties: {
        x: {
          type: "object",
          properties: { y: { type: "object", properties: { y: { type: "object" } } } },
        },
      },
    },
  ],
  [
    "with names that are escaped",
    {
      properties: { a: { $ref: "#/%24defs/a~1b~0c%20d" }, b: { $ref: "#/$defs/~01" } },
      $defs: { "a/b~c d": { type: "string" }, "~1": { type: "integer" } },
    },
    { properties: { a: { type: "string" }, b: { type: "integer" } } },
  ],
  ["to what says nothing", { properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: true } }, { properties: { a: {} } }],
  [
    "to nothing",
    {
      properties: {
        gone: { $ref: "#/$defs/None", description: "Gone." },
        proto: { $ref: "#/__proto__" },
        text: { $ref: "#/type/0" },
        bad: { $ref: "#/%" },
        elsewhere: { $ref: "https://example.com/schema.json#/$defs/A" },
        known: { $ref: "Pet", type: "string" },
        list: { type: "array", items: { $ref: "#/items" } },
      },
      type: ["object"],
    },
    {
      type: "object",
      properties: {
        gone: { type: "object", description: "Gone." },
        proto: { type: "object" },
        text: { type: "object" },
        bad: { type: "object" },
        elsewhere: { type: "object" },
        known: { type: "string" },
        list: { type: "array", items: { type: "object" } },
      },
    },
  ],
])("puts references in place that lead %s", (_, schema, said) => {
  expect(cleaned({ ...schema })).toEqual(said);
});

it("comes to an end where all types refer to each other, and where they refer to the next one a thousand times", () => {
  const named = (count: number, refer: (at: number) => number[]) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `T${at}`,
        {
          type: "object",
          properties: Object.fromEntries(refer(at).map((to) => [`p${to}`, { $ref: `#/$defs/T${to}` }])),
        },
      ]),
    );
  const all = Array.from({ length: 20 }, (_, at) => at);
  for (const $defs of [named(20, () => all), named(5000, (at) => [at + 1])]) {
    const text = JSON.stringify(cleaned({ type: "object", properties: { first: { $ref: "#/$defs/T0" } }, $defs }));
    expect(text).not.toContain("$ref");
    expect(text.length).toBeLessThan(2_000_000);
  }
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
  [
    { type: "boolean", const: true },
    { type: "boolean", description: "One of true." },
  ],
  [{ const: 1 }, { type: "integer", description: "One of 1." }],
  [{ const: null }, { type: "null" }],
  [{ const: { a: 1 } }, { type: "object", description: 'Always {"a":1}.' }],
  [
    {
      type: "object",
      description: "Sizes.",
      patternProperties: { "^x": { type: "string" } },
      additionalProperties: { $ref: "#/$defs/A" },
      $defs: { A: { type: "integer" } },
    },
    {
      type: "object",
      description:
        'Sizes. Properties whose names match ^x follow the schema {"type":"string"}. ' +
        'Other properties follow the schema {"type":"integer"}.',
    },
  ],
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

it.each<[number, object]>([
  [1, { type: "object", additionalProperties: { type: "string" } }],
  [2, { properties: { a: { patternProperties: { b: { type: "string" }, c: { type: "null" } } } } }],
  [1, { additionalProperties: { description: "d".repeat(1000) } }],
  [0, { additionalProperties: false, patternProperties: {} }],
  [0, { additionalProperties: {}, patternProperties: { a: true } }],
])("tells %d times that properties without a name have schemas in %j", (times, schema) => {
  const lost = vi.fn();
  cleaned({ ...schema }, lost);
  expect(lost).toHaveBeenCalledTimes(times);
});

it.each<[object, object, number]>([
  [{ type: "object", additionalProperties: { type: "string" } }, {}, 0],
  [{ properties: { const: { const: "a" } } }, { properties: { const: { enum: ["a"] } } }, 0],
  [{ anyOf: [{ const: 1 }, { const: true }] }, { anyOf: [{ enum: [1] }, { const: true }] }, 0],
  [{ $defs: { A: { const: "a", enum: ["a"] } } }, {}, 0],
  [{ default: { const: "a" }, type: "object" }, {}, 0],
  [{ type: "object", patternProperties: { a: { type: "null" } } }, { type: "object" }, 1],
])("says in keywords that are read of an answer's schema what %j says", (schema, said, times) => {
  const lost = vi.fn();
  expect(readable({ ...schema }, lost)).toEqual(Object.keys(said).length > 0 ? said : schema);
  expect(lost).toHaveBeenCalledTimes(times);
});
