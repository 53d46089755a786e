import { expect, it } from "vitest";
import type { EncodeContext } from "../../../core/index.ts";
import { inputTokens } from "../index.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, readUsage } = inputTokens;
const context: EncodeContext = { provider: "p", model: "m", strict: true, now: 0, id: "i", includeUsage: false };

it("says again what was asked, with all that it stands on", () => {
  const wire = {
    model: "gpt-x",
    instructions: "Be brief.",
    input: [{ type: "message", role: "user", content: "Hello" }],
    previous_response_id: "resp_1",
    tools: [{ type: "function", name: "f", parameters: { type: "object", properties: {} }, strict: false }],
    tool_choice: "required",
    parallel_tool_calls: false,
    reasoning: { effort: "low" },
    text: { verbosity: "low" },
    truncation: "auto",
    personality: "friendly",
  };
  expect(encodeRequest(decodeRequest(wire), (name) => expect.fail(name))).toEqual(wire);
});

it("leaves out how the answer is to be made, and what only requests for one may say", () => {
  const request = {
    model: "m",
    input: "Hello",
    stream: true,
    store: true,
    max_output_tokens: 5,
    temperature: 2,
    user: "u",
  };
  const asked = encodeRequest(decodeRequest({ ...request, include: ["reasoning.encrypted_content"] }), (name) =>
    expect.fail(name),
  );
  expect(asked).toEqual({ model: "m", input: [{ type: "message", role: "user", content: "Hello" }] });
});

it("reads and writes the count, which is no usage", () => {
  const wire = { object: "response.input_tokens", input_tokens: 14 };
  expect(decodeResponse(wire).inputTokens).toBe(14);
  expect(encodeResponse(decodeResponse(wire), context)).toEqual(wire);
  expect(encodeResponse({ inputTokens: 3 }, context)).toEqual({ ...wire, input_tokens: 3 });
  expect(readUsage(wire)).toBeUndefined();
  for (const answer of [{}, { input_tokens: null }, "14"])
    expect(() => decodeResponse(answer)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
});
