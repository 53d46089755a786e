import { describe, expect, it } from "vitest";
import { argumentsSchema } from "./arguments-schema.ts";

describe("a schema of arguments", () => {
  it.each([
    ["nothing", {}],
    ["an object of nothing", { type: "object" }],
    ["null where properties stand", { type: "object", properties: null }],
    ["properties without a type", { properties: {} }],
  ])("that says %s has a type and properties", (_, schema) => {
    expect(argumentsSchema(schema)).toEqual({ type: "object", properties: {} });
  });

  it("keeps what else it says", () => {
    const open = { $schema: "https://json-schema.org/draft/2020-12/schema", additionalProperties: true };
    expect(argumentsSchema({ type: "object", ...open })).toEqual({ type: "object", properties: {}, ...open });
  });

  it.each([
    [{ type: "object", properties: { a: {} } }],
    [{ type: "string" }],
    [{ $ref: "#/$defs/a", $defs: { a: { type: "object", properties: {} } } }],
    [{ type: "object", anyOf: [{ properties: { a: {} } }] }],
  ])("is left as it is where nothing is missing, or others say it: %j", (schema) => {
    expect(argumentsSchema(schema)).toBe(schema);
  });
});
