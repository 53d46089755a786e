import { describe, expect, it } from "vitest";
import type { EmbeddingRequest } from "../../../core/index.ts";
import { cohereEmbeddings } from "../../format-cohere-chat/index.ts";
import { openAiEmbeddings } from "../../format-openai-embeddings/index.ts";
import { geminiBatchEmbeddings, geminiEmbeddings } from "../index.ts";
import { context } from "../testing.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, drops } = geminiEmbeddings;
const pixel = { inlineData: { mimeType: "image/png", data: "AAAA" } };
const content = (text: string) => ({ parts: [{ text }] });

describe("gemini embeddings", () => {
  it.each([
    [{ model: "m", content: content("a") }],
    [{ model: "m", content: content("a"), taskType: "RETRIEVAL_QUERY", outputDimensionality: 4, title: "t" }],
    [{ model: "m", content: { parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }, { text: "a" }] } }],
    [{ model: "m", content: { parts: [{ text: "a" }, pixel, { text: "b" }, pixel] } }],
    [{ model: "m", content: { parts: [pixel] } }],
    [{ model: "m", content: { parts: [{ fileData: { mimeType: "video/mp4", fileUri: "gs://b/v.mp4" } }] } }],
    [{ model: "m", content: { parts: [{ inlineData: { mimeType: "application/pdf", data: "AAAA" } }] } }],
    [{ model: "m", content: { parts: [{ ...pixel, mediaResolution: { level: "LOW" } }, { text: "a" }] } }],
    [{ model: "m", content: content("a"), embedContentConfig: { outputDimensionality: 4, autoTruncate: true } }],
    [{ model: "m", requests: [{ model: "models/m", content: content("a"), outputDimensionality: 4 }] }],
    [
      {
        model: "m",
        requests: [
          { model: "models/m", content: content("a") },
          { model: "models/m", content: content("b") },
        ],
      },
    ],
    [
      {
        model: "m",
        requests: [
          { model: "models/m", content: content("a"), taskType: "RETRIEVAL_QUERY", outputDimensionality: 4 },
          { model: "models/m", content: content("b"), taskType: "CLUSTERING", outputDimensionality: 4, title: "t" },
        ],
      },
    ],
  ])("give %j back as it came", (wire) => {
    const dropped: string[] = [];
    expect(encodeRequest(decodeRequest(wire), (name) => dropped.push(name))).toEqual(wire);
    expect(dropped).toEqual([]);
  });

  it("take their size by the API's own name from clients of the unified one", () => {
    const dropped: string[] = [];
    const extra = { format: "openai-embeddings", fields: { output_dimensionality: 8, odd: 1 } };
    const request: EmbeddingRequest = { model: "m", input: ["a"], single: true, extra };
    expect(encodeRequest(request, (name) => dropped.push(name))).toMatchObject({ outputDimensionality: 8 });
    expect(encodeRequest({ ...request, dimensions: 4 }, () => {})).toMatchObject({ outputDimensionality: 4 });
    expect(dropped).toEqual(["odd"]);
  });

  it.each<[readonly object[], EmbeddingRequest["input"][number]]>([
    [[{ text: "a" }, { text: "b" }], "ab"],
    [[pixel], { image: { base64: "AAAA", mime_type: "image/png" } }],
    [
      [{ inline_data: { mime_type: "image/png", data: "AAAA" } }],
      { image: { base64: "AAAA", mime_type: "image/png" } },
    ],
    [[{ inlineData: { mimeType: "image/JPG", data: "AAAA" } }], { image: { base64: "AAAA", mime_type: "image/JPG" } }],
    [[{ text: "a" }, pixel], { text: "a", image: { base64: "AAAA", mime_type: "image/png" } }],
    [[pixel, { text: "a" }], { parts: [{ image: { base64: "AAAA", mime_type: "image/png" } }, { text: "a" }] }],
    [
      [{ text: "a" }, { fileData: { mimeType: "audio/mp3", fileUri: "gs://b/a" } }],
      { text: "a", audio: { url: "gs://b/a", mime_type: "audio/mp3" } },
    ],
    [[{ fileData: { fileUri: "files/a" } }], { parts: [{ fileData: { fileUri: "files/a" } }] }],
  ])("show %j to vendors of other formats as %j", (parts, item) => {
    expect(decodeRequest({ model: "m", content: { parts } }).input).toEqual([item]);
  });

  it("name the settings of a batch that are not those of all", () => {
    const requests = ["RETRIEVAL_QUERY", "CLUSTERING"].map((taskType) => ({
      content: content("a"),
      taskType,
      outputDimensionality: 4,
    }));
    const request = decodeRequest({ model: "m", requests });
    expect(request).toMatchObject({ input: ["a", "a"], dimensions: 4 });
    expect(request.inputType).toBeUndefined();
    const dropped: string[] = [];
    openAiEmbeddings.encodeRequest(request, (name) => dropped.push(name));
    expect(dropped).toEqual(["task_type"]);
  });

  it("take the settings that clients of Vertex AI have in an object of their own", () => {
    const config = { outputDimensionality: 4, taskType: "RETRIEVAL_QUERY", title: "t" };
    const request = decodeRequest({ model: "m", content: content("a"), embedContentConfig: config });
    const dropped: string[] = [];
    expect(openAiEmbeddings.encodeRequest(request, (name) => dropped.push(name))).toMatchObject({ dimensions: 4 });
    expect(dropped.sort()).toEqual(["input_type", "title"]);
  });

  it("are asked for in the words of the API", () => {
    const dropped: string[] = [];
    const request: EmbeddingRequest = {
      model: "m",
      single: false,
      input: ["a", { text: "b", image: { base64: "AAAA" }, video: { url: "gs://b/v.mp4" } }],
      dimensions: 8,
      inputType: "search_query",
      user: "u",
    };
    const settings = { model: "models/m", taskType: "RETRIEVAL_QUERY", outputDimensionality: 8 };
    expect(encodeRequest(request, (name) => dropped.push(name))).toEqual({
      model: "m",
      requests: [
        { ...settings, content: content("a") },
        {
          ...settings,
          content: {
            parts: [
              { text: "b" },
              { inlineData: { mimeType: "image/jpeg", data: "AAAA" } },
              { fileData: { mimeType: "video/mp4", fileUri: "gs://b/v.mp4" } },
            ],
          },
        },
      ],
    });
    expect(dropped).toEqual(drops);
  });

  it.each<[EmbeddingRequest["input"][number], object]>([
    [{ image: { url: "data:image/png;base64,AAAA" } }, { inlineData: { mimeType: "image/png", data: "AAAA" } }],
    [{ image: { base64: "data:image/webp;base64,AAAA" } }, { inlineData: { mimeType: "image/webp", data: "AAAA" } }],
    [
      { image: { url: "https://x.example/a", mime_type: "image/png" } },
      { fileData: { mimeType: "image/png", fileUri: "https://x.example/a" } },
    ],
    [{ audio: { url: "gs://b/a.wav" } }, { fileData: { mimeType: "audio/wav", fileUri: "gs://b/a.wav" } }],
    [
      { image: { base64: "R0lGODlhAQABAIAAAAA" } },
      { inlineData: { mimeType: "image/gif", data: "R0lGODlhAQABAIAAAAA" } },
    ],
  ])("say %j as a part", (item, part) => {
    expect(encodeRequest({ model: "m", single: true, input: [item] }, () => {})).toMatchObject({
      content: { parts: [part] },
    });
  });

  it.each<[unknown, string]>([
    [{}, "content"],
    [{ content: { parts: [7] } }, "content.parts[0]"],
    [{ requests: [] }, "requests"],
    [{ requests: [{}] }, "requests[0].content"],
  ])("refuse %j", (wire, param) => {
    expect(() => decodeRequest(wire)).toThrow(expect.objectContaining({ code: "invalid_request", details: { param } }));
  });

  it("take what clients of Cohere mix, in its order", () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const mixed = { content: [{ type: "text", text: "a" }, image, { type: "text", text: "b" }, image] };
    const request = cohereEmbeddings.decodeRequest({ model: "m", inputs: [mixed] });
    expect(encodeRequest(request, () => {})).toMatchObject({
      requests: [{ content: { parts: [{ text: "a" }, pixel, { text: "b" }, pixel] } }],
    });
  });

  it("take images as clients of Jina write them", () => {
    const input = [{ image: "https://x.example/a.png" }, { image: "R0lGODlhAQABAIAAAAA" }];
    const request = openAiEmbeddings.decodeRequest({ model: "m", input });
    expect(encodeRequest(request, () => {})).toMatchObject({
      requests: [
        { content: { parts: [{ fileData: { mimeType: "image/png", fileUri: "https://x.example/a.png" } }] } },
        { content: { parts: [{ inlineData: { mimeType: "image/gif", data: "R0lGODlhAQABAIAAAAA" } }] } },
      ],
    });
    expect(cohereEmbeddings.encodeRequest(request, () => {})).toMatchObject({
      images: ["https://x.example/a.png", "data:image/gif;base64,R0lGODlhAQABAIAAAAA"],
    });
    expect(openAiEmbeddings.encodeRequest(request, () => {})).toMatchObject({ input });
  });

  it("refuse token ids, which the vendor cannot take", () => {
    const request = { model: "m", input: [[1, 2]], single: true };
    expect(() => encodeRequest(request, () => {})).toThrow(
      expect.objectContaining({ code: "invalid_request", details: { param: "input" } }),
    );
  });

  it("are answered with one vector or a list of them", () => {
    const one = { embedding: { values: [0.5, -1] } };
    const many = { embeddings: [{ values: [0.5] }, { values: [1] }], usageMetadata: { promptTokenCount: 4 } };
    expect(decodeResponse(one)).toEqual({ data: [{ index: 0, vector: [0.5, -1] }] });
    expect(encodeResponse(decodeResponse(one), context)).toEqual(one);
    expect(decodeResponse(many)).toMatchObject({ usage: { inputTokens: 4 } });
    expect(geminiBatchEmbeddings.encodeResponse(decodeResponse(many), context)).toEqual(many);
    const short = Buffer.from(Float32Array.of(0.5, -1).buffer).toString("base64");
    expect(encodeResponse({ data: [{ index: 0, vector: short }] }, context)).toEqual(one);
  });

  it.each([[null], [{}], [{ embedding: {} }], [{ embeddings: [{ values: ["a"] }] }], [{ error: { message: "no" } }]])(
    "are no answer: %j",
    (wire) => {
      expect(() => decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
    },
  );
});
