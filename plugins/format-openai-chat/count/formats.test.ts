import { describe, expect, it } from "vitest";
import { countFormats } from "./formats.ts";

const context = { provider: "p", model: "m", strict: false, now: 0, id: "i", includeUsage: true };

describe.each(countFormats)("$name", ({ decodeRequest, encodeRequest, decodeResponse, encodeResponse }) => {
  it("says a request again as it was asked, and nothing of how it is to be answered", () => {
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ];
    const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
    const wire = { model: "m", messages, tools };
    const asked = {
      ...wire,
      temperature: 0,
      stream: true,
      tool_choice: "auto",
      max_tokens: 5,
      response_format: { type: "json_object" },
    };
    expect(encodeRequest(decodeRequest(asked), (name) => expect.fail(name))).toEqual(wire);
  });

  it("finds the count in the answer, and refuses one without", () => {
    expect(decodeResponse(encodeResponse({ inputTokens: 9 }, context))).toEqual({ inputTokens: 9 });
    for (const wire of [{}, { data: {}, usage: {} }, { error: { message: "No such model." } }])
      expect(() => decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
  });
});
