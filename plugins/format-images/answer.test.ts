import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import { named } from "./testing.ts";

const one = [{ base64: "aGk=" }];

describe("images that a filter got hold of", () => {
  const blurred = { base64: "Ymx1cg==", finishReason: "CONTENT_FILTERED", seed: 1 };
  const good = { base64: "aGk=", finishReason: "SUCCESS", seed: 2 };
  const withheld = { raiFilteredReason: "Code 29310472: violence" };
  const all = "All of the generated images have been blocked by our content filters.";

  it.each<[string, object, string]>([
    ["stability-v1", { artifacts: [blurred] }, "CONTENT_FILTERED"],
    ["bedrock-stability-v1", { result: "success", artifacts: [blurred, blurred] }, "CONTENT_FILTERED"],
    ["stability-v2", { image: "Ymx1cg==", finish_reason: "CONTENT_FILTERED", seed: 1 }, "CONTENT_FILTERED"],
    ["fireworks", [blurred], "CONTENT_FILTERED"],
    ["fireworks-flux", { base64: ["Ymx1cg=="], finishReason: "CONTENT_FILTERED" }, "CONTENT_FILTERED"],
    ["bedrock-stability-v2", { finish_reasons: ["Filter reason: prompt"] }, "Filter reason: prompt"],
    ["imagen", { predictions: [withheld] }, "violence"],
    ["imagen", {}, "includeRaiReason"],
    ["imagen", { predictions: [] }, "includeRaiReason"],
    ["bedrock-amazon", { images: [], error: all }, all],
  ])("are no answer of %s, where there are no others: %j", (name, wire, reason) => {
    expect(() => named(name).decodeResponse(deepFreeze(wire))).toThrow(
      expect.objectContaining({ code: "content_filtered", message: expect.stringContaining(reason) }),
    );
    expect(named(name).readUsage(wire)?.images ?? 0).toBe(0);
  });

  it.each<[string, object]>([
    ["stability-v1", { artifacts: [blurred, good] }],
    ["fireworks", [good, blurred]],
    ["imagen", { predictions: [{ bytesBase64Encoded: "aGk=" }, withheld] }],
    ["bedrock-amazon", { images: ["aGk="], error: "Some of the generated images have been blocked." }],
  ])("do not take the others of %s with them: %j", (name, wire) => {
    const format = named(name);
    expect(format.decodeResponse(deepFreeze(wire))).toEqual({ images: one, usage: { images: 1 } });
    expect(format.readUsage(wire)).toEqual({ images: 1 });
    if ("error" in wire) expect(format.decodeError(wire)).toBeUndefined();
  });

  it("are told from what else may have gone wrong", () => {
    const broken = { finish_reasons: ["Inference error"] };
    expect(() => named("bedrock-stability-v2").decodeResponse(broken)).toThrow("missing");
    const { decodeError } = named("bedrock-amazon");
    expect(decodeError({ error: all })).toMatchObject({ code: "content_filter", type: "invalid_request_error" });
    expect(decodeError({ message: "no" })).toEqual({ message: "no" });
    expect(named("imagen").decodeError({})).toBeUndefined();
  });
});
