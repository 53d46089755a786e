import { describe, expect, it } from "vitest";
import { bedrockCount } from "../index.ts";
import { context } from "../testing.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, readUrl } = bedrockCount;
const converse = {
  messages: [{ role: "user", content: [{ text: "Hello" }] }],
  system: [{ text: "Be brief." }],
  toolConfig: { tools: [{ toolSpec: { name: "f", description: "F.", inputSchema: { json: { type: "object" } } } }] },
};

describe("bedrock-count-tokens", () => {
  it("says a Converse request again as it was asked", () => {
    const wire = { model: "m", input: { converse } };
    expect(encodeRequest(decodeRequest(wire), (name) => expect.fail(name))).toEqual(wire);
  });

  it("leaves out how the answer is to be made, and loses nothing with it", () => {
    const request = { model: "m", messages: [], stream: true, maxTokens: 5, seed: 1, n: 2, user: "u" };
    expect(encodeRequest(request, (name) => expect.fail(name))).toEqual({
      model: "m",
      input: { converse: { messages: [] } },
    });
  });

  it("translates no invocation: its body is in the format of a model", () => {
    for (const wire of [7, {}, { input: { invokeModel: { body: "e30=" } } }])
      expect(() => decodeRequest(wire)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });

  it("finds the model in the URL, and the count in the answer", () => {
    expect(readUrl?.("/model/a%2Fb/count-tokens")).toEqual({ model: "a/b", stream: false });
    expect(decodeResponse({ inputTokens: 9 })).toEqual({ inputTokens: 9 });
    expect(encodeResponse({ inputTokens: 9 }, context)).toEqual({ inputTokens: 9 });
    expect(() => decodeResponse({})).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
  });
});
