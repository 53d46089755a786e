import { describe, expect, it } from "vitest";
import { geminiCount } from "../index.ts";
import { context } from "../testing.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, readUsage, upstream } = geminiCount;
const contents = [{ role: "user", parts: [{ text: "Hello" }] }];
const systemInstruction = { role: "system", parts: [{ text: "Be brief." }] };
const again = (wire: unknown) => encodeRequest(decodeRequest(wire), (name) => expect.fail(name));

describe("gemini-count-tokens", () => {
  it("says contents alone as contents alone", () => {
    expect(again({ model: "m", contents })).toEqual({ model: "m", contents });
  });

  it.each([
    [{ model: "m", contents, systemInstruction }],
    [{ model: "m", generateContentRequest: { contents, systemInstruction } }],
    [{ generate_content_request: { model: "m", contents, system_instruction: systemInstruction } }],
    [{ model: "m", generateContentRequest: { model: "models/own/m", contents, systemInstruction } }],
  ])("says everything else as a whole request that names the model again: %j", (wire) => {
    expect(again(wire)).toEqual({
      model: "m",
      generateContentRequest: { model: "models/m", contents, systemInstruction },
    });
  });

  it("names the model inside as outside, where a client's own request goes on", () => {
    const apply = upstream?.rewrite?.apply;
    expect(apply?.({ model: "m", generateContentRequest: { model: "models/google/m", contents } })).toEqual({
      model: "m",
      generateContentRequest: { model: "models/m", contents },
    });
    expect(apply?.({ model: "tunedModels/t", generate_content_request: { contents } })).toEqual({
      model: "tunedModels/t",
      generateContentRequest: { model: "tunedModels/t", contents },
    });
    expect(apply?.({ model: "m", contents })).toEqual({ model: "m", contents });
  });

  it("leaves out how the answer is to be made, and loses nothing with it", () => {
    const request = { model: "m", messages: [], stream: true, seed: 1, temperature: 1, user: "u", logitBias: { 1: 1 } };
    expect(encodeRequest(request, (name) => expect.fail(name))).toEqual({ model: "m", contents: [] });
  });

  it("reads and writes the count, which is no usage", () => {
    const wire = { totalTokens: 31, promptTokensDetails: [{ modality: "TEXT", tokenCount: 31 }] };
    expect(decodeResponse(wire).inputTokens).toBe(31);
    expect(encodeResponse(decodeResponse(wire), context)).toEqual(wire);
    expect(readUsage(wire)).toBeUndefined();
    for (const odd of [null, {}, { totalTokens: "many" }])
      expect(() => decodeResponse(odd)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
  });

  it("refuses what holds no request", () => {
    for (const wire of [7, {}, { contents: 7 }, { generateContentRequest: 7 }])
      expect(() => decodeRequest(wire)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});
