import { describe, expect, it } from "vitest";
import { forGemma } from "./schemas.ts";

const names = { propertyNames: { pattern: "^[a-z]+$" } };

function told(model: string, tools: unknown) {
  const lost: string[] = [];
  const wire = forGemma.apply({ model, tools }, (name) => lost.push(name));
  return { tools: wire.tools, lost };
}
const chat = (parameters: unknown) => [{ type: "function", function: { name: "look", parameters } }];

describe("tools for Gemma", () => {
  it.each<[unknown, unknown]>([
    [{ type: "object", ...names }, { type: "object" }],
    [{ anyOf: [{ type: "object", ...names }] }, { anyOf: [{ type: "object" }] }],
    [{ $defs: { propertyNames: { ...names, type: "object" } } }, { $defs: { propertyNames: { type: "object" } } }],
    [{ items: { additionalProperties: names } }, { items: { additionalProperties: {} } }],
  ])("are told %j as %j, and the loss is told", (schema, kept) => {
    expect(told("google.gemma-3-27b-it", chat(schema))).toEqual({ tools: chat(kept), lost: ["tools.propertyNames"] });
  });

  it.each<unknown>([
    { properties: { propertyNames: { type: "string" } } },
    { properties: { a: { enum: [names], default: names, const: names } } },
    { required: ["propertyNames"] },
    undefined,
  ])("keep %j, where that is a name or data", (schema) => {
    expect(told("google.gemma-3-27b-it", chat(schema))).toEqual({ tools: chat(schema), lost: [] });
  });

  it("are told so in the Responses API, too, and only for Gemma", () => {
    const tools = [
      { type: "function", name: "look", parameters: { type: "object", ...names } },
      { type: "web_search" },
    ];
    expect(told("google.gemma-4-31b", tools)).toEqual({
      tools: [{ type: "function", name: "look", parameters: { type: "object" } }, { type: "web_search" }],
      lost: ["tools.propertyNames"],
    });
    expect(told("openai.gpt-oss-120b", tools)).toEqual({ tools, lost: [] });
    expect(told("google.gemma-4-31b", "all")).toEqual({ tools: "all", lost: [] });
  });
});
