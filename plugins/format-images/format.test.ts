import { describe, expect, it } from "vitest";
import type { ImageRequest } from "../../core/index.ts";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import { vendorFormats } from "./format.ts";
import { named } from "./testing.ts";

const asked: ImageRequest = {
  model: "m",
  prompt: "a cat",
  n: 2,
  size: "1536x1024",
  quality: "hd",
  style: "photo",
  responseFormat: "b64_json",
  negativePrompt: "dogs",
  seed: 7,
  user: "u",
  extra: { format: "openai-images", fields: { steps: 30, background: "opaque" } },
};

const weighted = { text_prompts: [{ text: "a cat", weight: 1 }] };
const measures = { width: 1536, height: 1024 };
const vertexParameters = { sampleCount: 2, sampleImageStyle: "photo", negativePrompt: "dogs", seed: 7 };

/** What each vendor is sent for the same request, and what it cannot be told. */
const requests: readonly (readonly [string, object, readonly string[]])[] = [
  [
    "stability-v1",
    { ...weighted, samples: 2, style_preset: "photo", seed: 7, ...measures, steps: 30 },
    ["quality", "negative_prompt", "user", "background"],
  ],
  [
    "stability-v2",
    { prompt: "a cat", style_preset: "photo", negative_prompt: "dogs", seed: 7, aspect_ratio: "3:2" },
    ["n", "quality", "user", "steps", "background"],
  ],
  [
    "segmind",
    {
      ...{ prompt: "a cat", samples: 2, style: "photo", negative_prompt: "dogs", seed: 7 },
      ...{ img_width: 1536, img_height: 1024, base64: true },
    },
    ["quality", "user", "steps", "background"],
  ],
  [
    "fireworks",
    { ...weighted, samples: 2, seed: 7, ...measures, steps: 30 },
    ["quality", "style", "negative_prompt", "user", "background"],
  ],
  [
    "fireworks-flux",
    { prompt: "a cat", seed: 7, aspect_ratio: "3:2" },
    ["n", "quality", "style", "negative_prompt", "user", "steps", "background"],
  ],
  [
    "siliconflow",
    { prompt: "a cat", batch_size: 2, negative_prompt: "dogs", seed: 7, image_size: "1536x1024" },
    ["quality", "style", "user", "response_format", "steps", "background"],
  ],
  [
    "together",
    {
      ...{ model: "m", prompt: "a cat", n: 2, negative_prompt: "dogs", seed: 7, ...measures },
      ...{ response_format: "base64", steps: 30 },
    },
    ["quality", "style", "user", "background"],
  ],
  [
    "zhipu",
    { model: "m", prompt: "a cat", quality: "hd", size: "1536x1024" },
    ["n", "style", "negative_prompt", "seed", "user", "response_format", "steps", "background"],
  ],
  [
    "fal",
    {
      ...{ prompt: "a cat", num_images: 2, negative_prompt: "dogs", seed: 7, image_size: measures },
      ...{ sync_mode: true, steps: 30, background: "opaque" },
    },
    ["quality", "style", "user"],
  ],
  [
    "hyperbolic",
    { model: "m", prompt: "a cat", ...measures },
    ["n", "quality", "style", "negative_prompt", "seed", "user", "steps", "background"],
  ],
  [
    "workers-ai",
    { prompt: "a cat", negative_prompt: "dogs", seed: 7, ...measures, steps: 30 },
    ["n", "quality", "style", "user", "background"],
  ],
  [
    "imagen",
    {
      instances: [{ prompt: "a cat" }],
      parameters: { ...vertexParameters, aspectRatio: "4:3", outputOptions: { compressionQuality: 100 } },
    },
    ["user", "steps", "background"],
  ],
  [
    "mai",
    { model: "m", prompt: "a cat", width: 1248, height: 832 },
    ["n", "quality", "style", "negative_prompt", "seed", "user", "steps", "background"],
  ],
  [
    "bedrock-stability-v1",
    { ...weighted, samples: 2, style_preset: "photo", seed: 7, ...measures, steps: 30 },
    ["quality", "negative_prompt", "user", "background"],
  ],
  [
    "bedrock-stability-v2",
    { prompt: "a cat", style_preset: "photo", negative_prompt: "dogs", seed: 7, aspect_ratio: "3:2" },
    ["n", "quality", "user", "steps", "background"],
  ],
  [
    "bedrock-amazon",
    {
      taskType: "TEXT_IMAGE",
      textToImageParams: { text: "a cat", negativeText: "dogs" },
      imageGenerationConfig: { numberOfImages: 2, quality: "premium", seed: 7, ...measures },
    },
    ["style", "user", "steps", "background"],
  ],
];

it("has a request for every format here", () => {
  expect(requests.map(([name]) => `${name}-images`)).toEqual(vendorFormats.map(({ name }) => name));
});

describe.each(requests)("%s", (name, expected, lost) => {
  const format = named(name);
  it("is asked what it understands, and says what it cannot be told", () => {
    const dropped: string[] = [];
    const wire = format.encodeRequest(deepFreeze(asked), (one) => dropped.push(one));
    expect(wire).toEqual({ model: "m", ...expected });
    expect(dropped.sort()).toEqual([...lost].sort());
    const body = format.writeBody?.(wire);
    if (name === "stability-v2") {
      expect(body?.headers).toEqual({ accept: "application/json" });
      expect(body?.bytes.toString()).toContain('name="aspect_ratio"\r\n\r\n3:2\r\n');
    } else expect(JSON.parse(`${body?.bytes}`)).toEqual(expected);
  });

  it("can be asked for no more than a prompt", () => {
    const wire = format.encodeRequest({ model: "m", prompt: "a", n: 1, size: "auto" }, () => {});
    expect(JSON.stringify(wire)).toContain('"a"');
  });

  it("is asked by no client", () => {
    expect(() => format.decodeRequest({})).toThrow("Clients do not speak");
  });

  it("refuses answers without images", () => {
    for (const wire of [
      null,
      { odd: 1 },
      { images: [] },
      { artifacts: [{}] },
      { predictions: [{}] },
      { images: [7], image: 7 },
    ])
      expect(() => format.decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
  });
});

const one = [{ base64: "aGk=" }];
it.each<[string, unknown, readonly object[]]>([
  ["stability-v1", { artifacts: [{ base64: "aGk=", seed: 1, finishReason: "SUCCESS" }] }, one],
  ["stability-v2", { image: "aGk=", finish_reason: "SUCCESS", seed: 1 }, one],
  ["segmind", { image: "aGk=" }, one],
  ["segmind", { image: ["aGk=", "https://a/b.png"] }, [...one, { url: "https://a/b.png" }]],
  ["fireworks", [{ base64: "aGk=", finishReason: "SUCCESS", seed: 1 }], one],
  ["fireworks-flux", { id: "1", base64: ["data:image/png;base64,aGk="], finishReason: "SUCCESS", seed: 1 }, one],
  ["siliconflow", { images: [{ url: "https://a/b.png" }], seed: 1 }, [{ url: "https://a/b.png" }]],
  ["together", { id: "1", object: "list", data: [{ index: 0, b64_json: "aGk=", type: "b64_json" }] }, one],
  ["together", { data: [{ index: 0, url: "https://a/b.png", type: "url" }] }, [{ url: "https://a/b.png" }]],
  ["zhipu", { created: 1, data: [{ url: "https://a/b.png" }] }, [{ url: "https://a/b.png" }]],
  ["fal", { images: [{ url: "data:image/png;base64,aGk=" }], seed: 1, has_nsfw_concepts: [false] }, one],
  ["fal", { image: { url: "https://a/b.png", width: 8 }, seed: 1 }, [{ url: "https://a/b.png" }]],
  ["hyperbolic", { images: [{ index: 0, image: "aGk=" }] }, one],
  ["workers-ai", { result: { image: "data:image/png;base64,aGk=" }, success: true, errors: [] }, one],
  ["imagen", { predictions: [{ bytesBase64Encoded: "aGk=", mimeType: "image/png" }] }, one],
  ["mai", { data: [{ b64_json: "aGk=" }], model: "MAI-Image-2.5", size: "1024x1024" }, one],
  ["bedrock-stability-v1", { artifacts: [{ base64: "aGk=" }] }, one],
  ["bedrock-stability-v2", { images: ["aGk="], seeds: [1] }, one],
  ["bedrock-amazon", { images: ["aGk="] }, one],
])("reads what %s answers: %j", (name, wire, images) => {
  const response = named(name).decodeResponse(deepFreeze(wire));
  expect(response).toEqual({ images, usage: { images: images.length } });
  if (!Array.isArray(wire)) expect(named(name).readUsage(wire)).toEqual({ images: images.length });
});

describe("the image itself", () => {
  it("is an answer, where it is one", () => {
    const { readBytes } = named("segmind");
    expect(readBytes?.(Buffer.from("hi"), "image/png")).toEqual({ images: one, usage: { images: 1 } });
    expect(() => readBytes?.(Buffer.from("hi"), "text/plain")).toThrow("neither JSON nor an image");
  });
});

describe("requests", () => {
  const encode = (name: string, change: Partial<ImageRequest>) => () =>
    named(name).encodeRequest({ model: "m", prompt: "a", ...change }, () => {});

  it.each<[string, Partial<ImageRequest>, string]>([
    ["fireworks", { size: "large" }, "size"],
    ["imagen", { size: "large" }, "size"],
  ])("of %s are refused with %j", (name, change, param) => {
    expect(encode(name, change)).toThrow(expect.objectContaining({ code: "invalid_request", details: { param } }));
  });

  it.each<[string, number, object, string[]]>([
    ["imagen", 9, { parameters: { sampleCount: 8 } }, ["n"]],
    ["imagen", 8, { parameters: { sampleCount: 8 } }, []],
    ["segmind", 11, { samples: 10 }, ["n"]],
    ["stability-v1", 11, { samples: 10 }, ["n"]],
    ["bedrock-amazon", 9, { imageGenerationConfig: { numberOfImages: 5 } }, ["n"]],
  ])("of %s for %i images ask for as many as there may be, and say so", (name, n, wire, lost) => {
    const dropped: string[] = [];
    const written = named(name).encodeRequest({ model: "m", prompt: "a", n }, (field) => dropped.push(field));
    expect(written).toMatchObject(wire);
    expect(dropped).toEqual(lost);
  });

  it.each<[string, object, object]>([
    ["hyperbolic", { width: 5, height: 6 }, { width: 5, height: 6 }],
    ["together", { width: 5, height: 6 }, { width: 5, height: 6 }],
    ["segmind", { img_width: 5, img_height: 6 }, { img_width: 5, img_height: 6 }],
    ["bedrock-amazon", { width: 5 }, { imageGenerationConfig: { width: 5 } }],
    ["fireworks", { width: 5, lora_adapter_name: "l" }, { width: 5, lora_adapter_name: "l" }],
    [
      "imagen",
      { negativePrompt: "n", mimeType: "image/jpeg", compressionQuality: 80, sampleImageSize: "2K" },
      {
        parameters: {
          negativePrompt: "n",
          sampleImageSize: "2K",
          outputOptions: { mimeType: "image/jpeg", compressionQuality: 80 },
        },
      },
    ],
    ["stability-v1", { style_preset: "anime" }, { style_preset: "anime" }],
  ])("of %s may have the fields of its own in them: %j", (name, fields, wire) => {
    const lost: string[] = [];
    const extra = { format: "openai-images", fields: { ...fields } };
    const written = named(name).encodeRequest({ model: "m", prompt: "a", extra }, (field) => lost.push(field));
    expect(written).toMatchObject(wire);
    expect(lost).toEqual([]);
  });

  it("take how many images there are to be as n only", () => {
    const lost: string[] = [];
    const extra = { format: "openai-images", fields: { samples: 50 } };
    const written = named("segmind").encodeRequest({ model: "m", prompt: "a", extra }, (field) => lost.push(field));
    expect(written).not.toHaveProperty("samples");
    expect(lost).toEqual(["samples"]);
  });

  it.each([
    ["1024x1024", "1:1"],
    ["1792x1024", "16:9"],
    ["1024x1792", "9:16"],
    ["16:9", "16:9"],
  ])("for %s ask for the ratio %s", (size, aspectRatio) => {
    expect(encode("imagen", { size })()).toMatchObject({ parameters: { aspectRatio } });
  });

  it.each<[Partial<ImageRequest>, object | undefined, string[]]>([
    [{ outputFormat: "png" }, { mimeType: "image/png" }, []],
    [{ outputFormat: "jpeg", outputCompression: 0 }, { mimeType: "image/jpeg", compressionQuality: 0 }, []],
    [{ outputFormat: "jpeg", quality: "hd" }, { mimeType: "image/jpeg", compressionQuality: 100 }, []],
    [
      { outputFormat: "jpeg", quality: "hd", outputCompression: 60 },
      { mimeType: "image/jpeg", compressionQuality: 60 },
      [],
    ],
    [{ outputFormat: "png", outputCompression: 60 }, { mimeType: "image/png" }, ["output_compression"]],
    [{ outputFormat: "webp" }, undefined, ["output_format"]],
    [{ quality: "low" }, { compressionQuality: 75 }, []],
    [{}, undefined, []],
  ])("of imagen say %j as %j, without %j", (change, outputOptions, lost) => {
    const dropped: string[] = [];
    const ask = { model: "m", prompt: "a", ...change };
    const { parameters } = named("imagen").encodeRequest(ask, (field) => dropped.push(field));
    expect(parameters).toEqual(outputOptions ? { outputOptions } : {});
    expect(dropped).toEqual(lost);
  });

  it.each<[Partial<ImageRequest>, object, string[]]>([
    [{ quality: "high", user: "somebody" }, { quality: "hd", user_id: "somebody" }, []],
    [{ quality: "medium", user: "me" }, { quality: "standard" }, ["user"]],
    [{ quality: "auto" }, {}, []],
  ])("of zhipu say %j as %j, without %j", (change, expected, lost) => {
    const dropped: string[] = [];
    const written = named("zhipu").encodeRequest({ model: "m", prompt: "a", ...change }, (field) =>
      dropped.push(field),
    );
    expect(written).toEqual({ model: "m", prompt: "a", ...expected });
    expect(dropped).toEqual(lost);
  });

  it("ask for addresses where the image itself is not asked for", () => {
    expect(encode("together", {})()).toMatchObject({ response_format: "url" });
    expect(encode("fal", { responseFormat: "url" })()).toMatchObject({ sync_mode: false });
  });

  it.each<[string, object]>([
    ["1024x1024", { width: 1024, height: 1024 }],
    ["1248x832", { width: 1248, height: 832 }],
    ["1792x1024", { width: 1344, height: 768 }],
    ["1024x1792", { width: 768, height: 1344 }],
    ["4096x1024", { width: 1360, height: 768 }],
    ["256x256", { width: 768, height: 768 }],
    ["900x900", { width: 896, height: 896 }],
    ["auto", {}],
  ])("of mai for %s ask for the nearest there is", (size, measures) => {
    const { width, height } = encode("mai", { size })() as { width?: number; height?: number };
    expect({ ...(width && { width }), ...(height && { height }) }).toEqual(measures);
  });

  it("of mai are counted in tokens, too", () => {
    const usage = { num_output_tokens: 960, num_input_text_tokens: 24, num_input_image_tokens: 0 };
    const tokens = { inputTokens: 24, inputImageTokens: 0, outputTokens: 960, outputImageTokens: 960, images: 1 };
    const answer = { data: [{ b64_json: "aGk=" }], usage };
    expect(named("mai").decodeResponse(answer).usage).toEqual(tokens);
    expect(named("mai").readUsage(answer)).toEqual(tokens);
  });

  it("stay below the address of the vendor", () => {
    const path = named("segmind").upstream?.path;
    const at = (model: string) => typeof path === "function" && path({ model, stream: false });
    expect(at("sdxl1.0/fast?x")).toBe("/sdxl1.0/fast%3Fx");
    for (const model of ["../v2", "a//b", ".", ""]) expect(() => at(model)).toThrow("model");
  });
});

it("reads errors that are lists", () => {
  const { decodeError } = named("stability-v2");
  const errors = ["no prompt", "no seed"];
  expect(decodeError({ id: "x", name: "bad_request", errors })).toEqual({
    message: "no prompt, no seed",
    type: "bad_request",
    param: "x",
  });
  expect(decodeError({ errors: [{ message: "no", code: 1 }] })).toEqual({ message: "no" });
  expect(decodeError({ error: "no" })).toEqual({ message: "no" });
  expect(decodeError([])).toBeUndefined();
});
