import { describe, expect, it } from "vitest";
import type { ImageRequest } from "../../../core/index.ts";
import { geminiImages } from "../index.ts";
import { context } from "../testing.ts";

const { encodeRequest, decodeResponse, readUsage, encodeResponse, decodeRequest } = geminiImages;
const contents = [{ role: "user", parts: [{ text: "a cat" }] }];
const responseModalities = ["IMAGE"];

describe("images of models that draw", () => {
  it.each<[Partial<ImageRequest>, object, string[]]>([
    [{ n: 1, size: "auto", responseFormat: "b64_json" }, { generationConfig: { responseModalities } }, []],
    [
      { size: "1536x1024", seed: 7 },
      { generationConfig: { responseModalities, imageConfig: { aspectRatio: "3:2" }, seed: 7 } },
      [],
    ],
    [{ size: "9:16" }, { generationConfig: { responseModalities, imageConfig: { aspectRatio: "9:16" } } }, []],
    [
      {
        extra: { format: "openai-images", fields: { image_config: { image_size: "2K" }, safety_settings: [], odd: 1 } },
      },
      { safetySettings: [], generationConfig: { responseModalities, imageConfig: { imageSize: "2K" } } },
      ["odd"],
    ],
    [
      { n: 2, quality: "hd", style: "photo", outputFormat: "webp", responseFormat: "url", user: "u" },
      { generationConfig: { responseModalities } },
      ["n", "response_format", "quality", "style", "output_format", "user"],
    ],
  ])("are asked for: %j", (change, wire, lost) => {
    const dropped: string[] = [];
    const sent = encodeRequest({ model: "m", prompt: "a cat", ...change }, (name) => dropped.push(name));
    expect(sent).toEqual({ model: "m", contents, ...wire });
    expect(dropped).toEqual(lost);
  });

  it("have a size, or none", () => {
    expect(() => encodeRequest({ model: "m", prompt: "a", size: "large" }, () => {})).toThrow("size");
  });

  const inlineData = { mimeType: "image/png", data: "aGk=" };
  const draft = { inlineData: { ...inlineData, data: "eA==" }, thought: true };
  it("are read, without what was drawn on the way", () => {
    const wire = {
      candidates: [
        { content: { role: "model", parts: [draft, { text: "Here:" }, { inlineData }] }, finishReason: "STOP" },
      ],
      usageMetadata: {
        promptTokenCount: 5,
        candidatesTokenCount: 1290,
        candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1290 }],
      },
    };
    const usage = { inputTokens: 5, outputTokens: 1290, outputImageTokens: 1290, images: 1 };
    expect(decodeResponse(wire)).toEqual({ images: [{ base64: "aGk=" }], usage });
    expect(readUsage(wire)).toEqual(usage);
    expect(decodeResponse(encodeResponse({ images: [{ base64: "aGk=" }] }, context)).images).toEqual([
      { base64: "aGk=" },
    ]);
  });

  it.each<[object, string, string]>([
    [{ candidates: [{ finishReason: "IMAGE_SAFETY" }] }, "content_filtered", "IMAGE_SAFETY"],
    [{ candidates: [{ finishReason: "IMAGE_PROHIBITED_CONTENT" }] }, "content_filtered", "IMAGE_PROHIBITED_CONTENT"],
    [{ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }, "content_filtered", "PROHIBITED_CONTENT"],
    [
      { candidates: [{ content: { parts: [{ text: "I cannot." }] }, finishReason: "STOP" }] },
      "upstream_invalid",
      "I cannot.",
    ],
    [{ candidates: [{ finishReason: "NO_IMAGE" }] }, "upstream_invalid", "NO_IMAGE"],
    [{ error: { message: "no" } }, "upstream_invalid", "no"],
    [{}, "upstream_invalid", "missing"],
    [[], "upstream_invalid", "missing"],
  ])("are not in %j", (wire, code, message) => {
    expect(() => decodeResponse(wire)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
    expect(readUsage(wire)?.images).toBeUndefined();
  });

  it("are asked for by no client in these words", () => {
    expect(() => decodeRequest({})).toThrow("vendors");
  });
});
