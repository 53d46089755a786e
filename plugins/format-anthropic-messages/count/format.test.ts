import { describe, expect, it } from "vitest";
import type { EncodeContext } from "../../../core/index.ts";
import { anthropicCount } from "../index.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, readUsage } = anthropicCount;
const hello = { role: "user", content: "Hello" };
const context: EncodeContext = { provider: "p", model: "m", strict: true, now: 0, id: "i", includeUsage: false };

describe("anthropic-count-tokens", () => {
  it.each([
    [{ model: "claude-x", messages: [hello] }],
    [
      {
        model: "claude-x",
        system: "Be brief.",
        messages: [hello],
        tools: [{ name: "f", description: "F.", input_schema: { type: "object" } }],
        tool_choice: { type: "any" },
      },
    ],
    [
      {
        model: "claude-3-7-sonnet-latest",
        messages: [hello],
        thinking: { type: "enabled", budget_tokens: 2048 },
        context_management: { edits: [] },
      },
    ],
  ])("says %j again as it was asked", (wire) => {
    expect(encodeRequest(decodeRequest(wire), (name) => expect.fail(name))).toEqual({
      ...wire,
      ...("system" in wire && { system: [{ type: "text", text: wire.system }] }),
      messages: [{ role: "user", content: expect.anything() }],
    });
  });

  it("leaves out how the answer is to be made, and loses nothing with it", () => {
    const request = {
      model: "m",
      messages: [],
      stream: true,
      maxTokens: 5,
      temperature: 2,
      stop: [" "],
      user: "u",
      n: 2,
    };
    expect(encodeRequest(request, (name) => expect.fail(name))).toEqual({ model: "m", messages: [] });
  });

  it("refuses what is no message request", () => {
    for (const wire of [7, {}, { model: "m", messages: [] }])
      expect(() => decodeRequest(wire)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });

  it("reads and writes the count, which is no usage", () => {
    const wire = { input_tokens: 14, context_management: { original_input_tokens: 20 } };
    expect(decodeResponse(wire).inputTokens).toBe(14);
    expect(encodeResponse(decodeResponse(wire), context)).toEqual(wire);
    expect(readUsage(wire)).toBeUndefined();
  });

  it.each([[null], [{}], [{ input_tokens: -1 }], [{ error: { message: "no" } }]])(
    "takes no guess for a count: %j",
    (wire) => {
      expect(() => decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
    },
  );
});
