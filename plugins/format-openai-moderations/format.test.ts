import { describe, expect, it } from "vitest";
import type { EncodeContext } from "../../core/index.ts";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import { openAiModerations as format } from "./format.ts";

const context: EncodeContext = { provider: "acme", model: "m", strict: true, now: 5, id: "i", includeUsage: false };

describe("openai-moderations", () => {
  it.each([
    { model: "m", input: "a" },
    { model: "m", input: ["a", "b"], odd: 1 },
    { model: "m", input: [{ type: "image_url", image_url: { url: "https://a/b.png" } }] },
  ])("gives %j back as it came", (asked) => {
    expect(format.encodeRequest(format.decodeRequest(deepFreeze(asked)), (name) => expect.fail(name))).toEqual(asked);
  });

  it("means text-moderation-latest where a request names no model", () => {
    expect(format.decodeRequest({ input: "a" }).model).toBe("text-moderation-latest");
  });

  it.each<[object | null, string]>([
    [null, "body"],
    [{}, "input"],
    [{ input: 7 }, "input"],
    [{ input: [] }, "input"],
    [{ input: [7] }, "input"],
    [{ input: "a", model: "" }, "model"],
  ])("refuses %j", (wire, param) => {
    expect(() => format.decodeRequest(wire)).toThrow(
      expect.objectContaining({ code: "invalid_request", details: { param } }),
    );
  });

  const result = { flagged: true, categories: { hate: true, new: false }, category_scores: { hate: 0.9, new: 0 } };
  const answer = { id: "modr-1", model: "omni", results: [{ ...result, category_applied_input_types: {} }] };
  it("gives an answer back with its provider", () => {
    const response = format.decodeResponse(deepFreeze(answer));
    expect(format.encodeResponse(response, context)).toEqual({ ...answer, provider: "acme" });
  });

  it("reads answers that leave the verdict to the categories, and counts tokens where they are told", () => {
    const { flagged: _, ...rest } = result;
    const wire = { results: [rest], usage: { prompt_tokens: 3 } };
    const response = format.decodeResponse(wire);
    expect(response).toMatchObject({ results: [{ flagged: true }], usage: { inputTokens: 3 } });
    expect(format.encodeResponse(response, context)).toMatchObject({ id: "modr-i", model: "m" });
    expect(format.readUsage(answer)).toBeUndefined();
  });

  it.each([null, {}, { results: [{}] }])("refuses the answer %j", (wire) => {
    expect(() => format.decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
  });
});
