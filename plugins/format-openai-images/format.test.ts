import { describe, expect, it } from "vitest";
import type { EncodeContext } from "../../core/index.ts";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import plugin, { imageFormats, jsonImageEdits, openAiImages } from "./index.ts";

const [, edits, variations] = imageFormats;
const context: EncodeContext = { provider: "acme", model: "m", strict: true, now: 5, id: "i", includeUsage: false };
const file = { filename: "a.png", contentType: "image/png", bytes: Buffer.from("x") };

const asked = {
  model: "gpt-image-1",
  prompt: "a cat",
  n: 2,
  size: "1024x1024",
  quality: "high",
  style: "vivid",
  response_format: "b64_json",
  output_format: "webp",
  output_compression: 80,
  partial_images: 2,
  negative_prompt: "dogs",
  seed: 1,
  user: "u",
  stream: true,
  background: "transparent",
};

const event = (one: object) => ({ data: JSON.stringify(one) });

describe("openai-images", () => {
  it("gives a request back as it came", () => {
    const request = openAiImages.decodeRequest(deepFreeze(asked));
    expect(openAiImages.encodeRequest(deepFreeze(request), (name) => expect.fail(name))).toEqual(asked);
  });

  it("means dall-e-2 where a request names no model, and takes nulls for nothing", () => {
    expect(openAiImages.decodeRequest({ prompt: "a", n: null, size: null })).toEqual({
      model: "dall-e-2",
      prompt: "a",
    });
  });

  it.each<[object | null, string]>([
    [null, "body"],
    [{}, "prompt"],
    [{ prompt: "" }, "prompt"],
    [{ prompt: 1 }, "prompt"],
    [{ prompt: "a".repeat(1001) }, "prompt"],
    [{ prompt: "a".repeat(4001), model: "openai/dall-e-3" }, "prompt"],
    [{ prompt: "a", model: "dall-e-3", n: 2 }, "n"],
    [{ prompt: "a", n: 0 }, "n"],
    [{ prompt: "a", n: 11 }, "n"],
    [{ prompt: "a", n: 1.5 }, "n"],
    [{ prompt: "a", response_format: "png" }, "response_format"],
    [{ prompt: "a", output_compression: 101 }, "output_compression"],
    [{ prompt: "a", partial_images: 4 }, "partial_images"],
    [{ prompt: "a", stream: "true" }, "stream"],
  ])("refuses %j", (wire, param) => {
    expect(() => openAiImages.decodeRequest(wire)).toThrow(
      expect.objectContaining({ code: "invalid_request", details: { param } }),
    );
  });

  it("takes the word that Together's clients have for bytes", () => {
    expect(openAiImages.decodeRequest({ prompt: "a", response_format: "base64" })).toMatchObject({
      responseFormat: "b64_json",
    });
  });

  it("lets vendors of other formats be asked for no stream", () => {
    expect(() => openAiImages.refuseElsewhere?.({ model: "m", prompt: "a", stream: true })).toThrow("stream");
    expect(openAiImages.refuseElsewhere?.({ model: "m", prompt: "a" })).toBeUndefined();
  });

  const answer = {
    created: 7,
    data: [{ url: "https://a/1.png", revised_prompt: "a cat", index: 0 }, { b64_json: "aGk=" }],
    usage: { input_tokens: 3, output_tokens: 9, total_tokens: 12 },
    size: "1024x1024",
  };
  it("gives an answer back with its provider, and counts tokens and images", () => {
    const response = openAiImages.decodeResponse(deepFreeze(answer));
    expect(response.usage).toEqual({ inputTokens: 3, outputTokens: 9, images: 2 });
    expect(openAiImages.readUsage(answer)).toEqual(response.usage);
    expect(openAiImages.readUsage(null)).toBeUndefined();
    expect(openAiImages.encodeResponse(response, context)).toEqual({ ...answer, provider: "acme" });
    expect(openAiImages.encodeResponse({ images: [{ base64: "aGk=" }] }, context)).toEqual({
      created: 5,
      data: [{ b64_json: "aGk=" }],
      provider: "acme",
    });
  });

  it("says which tokens were images, of those it read and of those it wrote", () => {
    const usage = {
      ...{ input_tokens: 50, input_tokens_details: { text_tokens: 10, image_tokens: 40 } },
      ...{ output_tokens: 1100, output_tokens_details: { text_tokens: 44, image_tokens: 1056 } },
    };
    const tokens = { inputTokens: 50, inputImageTokens: 40, outputTokens: 1100, outputImageTokens: 1056 };
    expect(openAiImages.readUsage({ data: [{}], usage })).toEqual({ ...tokens, images: 1 });
    const completed = { data: JSON.stringify({ type: "image_edit.completed", b64_json: "aGk=", usage }) };
    expect(edits.readStreamEnd?.([completed]).usage).toEqual({ ...tokens, images: 1 });
  });

  it("does not take what the author of an SVG used for nothing", () => {
    const svg_usage = {
      model: "gpt-6-astra",
      input_tokens: 9,
      output_tokens: 900,
      reasoning_tokens: 0,
      total_tokens: 909,
    };
    const told = { data: [{ b64_json: "PHN2Zz4=" }], usage: { input_tokens: 3, output_tokens: 9 }, svg_usage };
    expect(openAiImages.readUsage(told)).toEqual({ inputTokens: 3, outputTokens: 9, images: 1, uncounted: true });
    expect(openAiImages.encodeResponse(openAiImages.decodeResponse(told), context)).toMatchObject({ svg_usage });
  });

  it("counts the image of a stream that tells no tokens", () => {
    const completed = { data: JSON.stringify({ type: "image_generation.completed", b64_json: "aGk=" }) };
    expect(openAiImages.readStreamEnd?.([completed]).usage).toEqual({ images: 1 });
  });

  it("counts the images of a stream that has several, of which one failed", () => {
    const failed = event({
      type: "image_generation.partial_failed",
      image_index: 1,
      error: { code: "x", message: "no" },
    });
    const usage = { generated_images: 2, output_tokens: 32_448, total_tokens: 32_448 };
    const completed = event({ type: "image_generation.completed", usage });
    expect(openAiImages.readStreamEnd?.([failed, completed, { data: "[DONE]" }])).toMatchObject({
      finished: true,
      failed: false,
      usage: { outputTokens: 32_448, images: 2 },
    });
  });

  it.each([null, {}, { data: "x" }, { error: { message: "no" } }])("refuses the answer %j", (wire) => {
    expect(() => openAiImages.decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
  });

  it("knows a stream that is finished from one that is not, and one that failed", () => {
    const partial = event({ type: "image_generation.partial_image" });
    const completed = event({ type: "image_generation.completed", usage: { output_tokens: 9 } });
    expect(openAiImages.readStreamEnd?.([partial])).toMatchObject({ finished: false, failed: false });
    expect(openAiImages.readStreamEnd?.([partial, completed])).toMatchObject({
      finished: true,
      usage: { outputTokens: 9, outputImageTokens: 9, images: 1 },
    });
    expect(openAiImages.readStreamEnd?.([event({ type: "error", message: "no" })])).toMatchObject({ failed: true });
    expect(openAiImages.failStream?.({ message: "cut" })).toBe(
      'event: error\ndata: {"type":"error","error":{"message":"cut","type":null,"param":null,"code":null}}\n\n',
    );
  });
});

describe("forms with images", () => {
  it("are kept as they came", () => {
    const wire = { "image[]": [file, file], mask: file, prompt: "less", model: "m", n: "2", stream: "true", odd: "1" };
    const request = edits.decodeRequest(wire);
    expect(request).toMatchObject({ model: "m", stream: true });
    expect(edits.encodeRequest(request, () => {})).toEqual(wire);
    expect(variations.decodeRequest({ image: file })).toEqual({ model: "dall-e-2", fields: { image: file } });
    expect(edits.writeBody?.({ image: file, model: "m" }).contentType).toMatch(/^multipart\/form-data; boundary=/);
  });

  it.each<[object, string]>([
    [{ prompt: "a" }, "image"],
    [{ image: "text", prompt: "a" }, "image"],
    [{ image: file }, "prompt"],
    [{ image: file, prompt: "a", n: "11" }, "n"],
    [{ image: file, prompt: "a", mask: "text" }, "mask"],
    [{ image: file, prompt: "a", response_format: "png" }, "response_format"],
  ])("are refused: %j", (wire, param) => {
    expect(() => edits.decodeRequest(wire)).toThrow(expect.objectContaining({ details: { param } }));
  });

  it("are refused without the image to vary", () => {
    expect(() => variations.decodeRequest({})).toThrow(expect.objectContaining({ details: { param: "image" } }));
  });
});

it("are told OpenAI in its words, as are their masks, where a client of xAI's wrote them as JSON", () => {
  const { rewrite } = jsonImageEdits.upstream ?? {};
  const url = "https://a.example/1.png";
  const wire = { model: "m", prompt: "a", image: { url }, mask: { url } };
  expect(rewrite?.when.some((text) => JSON.stringify(wire).includes(text))).toBe(true);
  const told = { model: "m", prompt: "a", images: [{ image_url: url }], mask: { image_url: url } };
  expect(rewrite?.apply(wire)).toEqual(told);
  expect(rewrite?.apply(told)).toEqual(told);
  expect(() => rewrite?.apply({ ...wire, mask: {} })).toThrow(expect.objectContaining({ details: { param: "mask" } }));
});

it("brings the formats and the endpoints that speak them", async () => {
  const formats: unknown[] = [];
  const endpoints: unknown[] = [];
  const context = { format: (one: unknown) => formats.push(one), endpoint: (one: unknown) => endpoints.push(one) };
  await plugin.setup(context as unknown as Parameters<typeof plugin.setup>[0], {});
  expect(formats).toEqual([...imageFormats, jsonImageEdits]);
  expect(endpoints).toMatchObject([
    { type: "imageGenerate", path: "/v1/images/generations", operation: "image", checked: true },
    { type: "imageEdit", path: "/v1/images/edits", operation: "imageEdit", checked: true },
    { type: "imageVariation", path: "/v1/images/variations", operation: "imageVariation", checked: true },
  ]);
});
