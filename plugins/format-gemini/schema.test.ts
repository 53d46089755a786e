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
    listed: { type: "string", enum: ["a", null], nullable: true },
  });
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
