import { describe, expect, it } from "vitest";
import { readJson, writeJson } from "../exact-json.ts";
import type { Fields } from "../records.ts";
import { compilable } from "./compilable-schema.ts";

const shut = { additionalProperties: false };
const inObject = (property: object) => ({ type: "object", properties: { a: property }, required: ["a"] });
const propertyOf = (property: object) => {
  const { schema, closes } = compilable(inObject(property));
  return { property: (schema as { properties: { a: unknown } }).properties.a, closes };
};

describe("a compilable schema", () => {
  it.each<[string, object, object]>([
    ["numbers", { type: "integer", minimum: 1, maximum: 9 }, { type: "integer" }],
    ["steps", { type: "number", multipleOf: 2, exclusiveMinimum: 0 }, { type: "number" }],
    ["texts", { type: "string", minLength: 1, maxLength: 9, pattern: "^a" }, { type: "string" }],
    ["lists", { type: "array", items: { type: "string" }, minItems: 2 }, { type: "array", items: { type: "string" } }],
    ["sets", { type: "array", items: { type: "null" }, uniqueItems: true }, { type: "array", items: { type: "null" } }],
    ["unknown formats", { type: "string", format: "color" }, { type: "string" }],
    ["choices that are objects", { enum: [{ a: 1 }] }, {}],
    ["what must not be", { type: "string", not: { const: "" } }, { type: "string" }],
  ])("says what is asked of %s in the description", (_, before, after) => {
    const { property, closes } = propertyOf(before);
    const said = Object.fromEntries(Object.entries(before).filter(([name]) => !Object.hasOwn(after, name)));
    expect(property).toEqual({ ...after, description: JSON.stringify(said) });
    expect(closes).toBe(false);
  });

  it("says numbers that no double holds as they were written", () => {
    const bounded = { type: "integer", description: '{"maximum":9223372036854775807}' };
    const { schema } = compilable(
      readJson('{"anyOf":[{"type":"integer","maximum":9223372036854775807},{"const":1234567890123456789}]}') as Fields,
    );
    expect(writeJson(schema)).toBe(`{"anyOf":[${JSON.stringify(bounded)},{"const":1234567890123456789}]}`);
  });

  it("keeps a description that is there", () => {
    const { property } = propertyOf({ type: "integer", description: "How many.", minimum: 1 });
    expect(property).toEqual({ type: "integer", description: 'How many.\n{"minimum":1}' });
  });

  it.each<[object]>([
    [{ type: "string", format: "date-time", title: "When", default: "now" }],
    [{ type: ["string", "null"], enum: ["a", null] }],
    [{ const: 3 }],
    [{ type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] }, minItems: 1 }],
    [{ type: "object", properties: { type: { type: "string" } }, required: [], additionalProperties: false }],
    [{ $ref: "#/$defs/Name" }],
  ])("leaves %j as it is", (property) => expect(propertyOf(property)).toEqual({ property, closes: false }));

  it.each<[object, object]>([
    [{ oneOf: [{ type: "string", maxLength: 3 }] }, { anyOf: [{ type: "string", description: '{"maxLength":3}' }] }],
    [{ type: "string", $comment: "x", readOnly: true }, { type: "string" }],
    [{ description: "Who.", allOf: [{ $ref: "#/$defs/Name" }] }, { $ref: "#/$defs/Name" }],
    [{ $ref: "#/$defs/Name", description: "Who." }, { $ref: "#/$defs/Name" }],
    [{ properties: { b: { type: "null" } } }, { type: "object", properties: { b: { type: "null" } }, ...shut }],
    [
      { type: "array", prefixItems: [{ type: "string" }, { type: "null" }] },
      {
        type: "array",
        items: { anyOf: [{ type: "string" }, { type: "null" }] },
        description: '{"prefixItems":[{"type":"string"},{"type":"null"}]}',
      },
    ],
  ])("writes %j in the words it has", (before, after) => {
    expect(propertyOf(before)).toEqual({ property: after, closes: false });
  });

  it.each<[object, string | undefined]>([
    [{ type: "object", additionalProperties: { type: "string" } }, '{"additionalProperties":{"type":"string"}}'],
    [{ type: "object", patternProperties: { "^a": {} } }, '{"patternProperties":{"^a":{}}}'],
    [{ type: "object", properties: {}, additionalProperties: true }, undefined],
    [{ type: "object" }, undefined],
  ])("closes %j, and says that it did", (open, said) => {
    const { property, closes } = propertyOf(open);
    expect(closes).toBe(true);
    expect(property).toMatchObject({ type: "object", ...shut, ...(said && { description: said }) });
  });

  it("closes objects that say nothing of it, in definitions too", () => {
    const root = { $ref: "#/$defs/A", $defs: { A: { type: "object", properties: {}, minProperties: 1 } } };
    expect(compilable(root)).toEqual({
      schema: {
        $defs: { A: { type: "object", properties: {}, ...shut, description: '{"minProperties":1}' } },
        $ref: "#/$defs/A",
      },
      closes: false,
    });
  });

  it.each<[object]>([
    [{ type: "object", properties: { next: { $ref: "#" } } }],
    [{ $ref: "#/$defs/A", $defs: { A: { properties: { next: { anyOf: [{ $ref: "#/$defs/A" }, {}] } } } } }],
    [
      {
        $ref: "#/definitions/A",
        definitions: { A: { items: { $ref: "#/definitions/B" } }, B: { $ref: "#/definitions/A" } },
      },
    ],
  ])("is not made of one that leads back to itself: %j", (schema) =>
    expect(compilable({ ...schema })).toEqual({ closes: false }),
  );

  it.each<[object]>([
    [{ properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/$defs/A" } }, $defs: { A: { type: "string" } } }],
    [{ $defs: { A: { items: { $ref: "#/$defs/A" } } }, type: "string" }],
    [{ type: "string", enum: ["a"], default: { $ref: "#" } }],
    [{ $ref: "https://x.example/other.json" }],
  ])("is made of one that does not: %j", (schema) => expect(compilable({ ...schema }).schema).toBeDefined());

  it("is compilable", () => {
    const { schema = {} } = compilable(
      inObject({ type: "object", properties: { b: { type: "integer", minimum: 1 } } }),
    );
    expect(compilable(schema)).toEqual({ schema, closes: false });
  });
});
