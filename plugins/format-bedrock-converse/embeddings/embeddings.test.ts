import { describe, expect, it } from "vitest";
import type { EmbeddingRequest } from "../../../core/index.ts";
import { context } from "../testing.ts";
import { novaEmbeddings } from "./nova.ts";
import { titanEmbeddings } from "./titan.ts";

const request = (more: Partial<EmbeddingRequest> = {}): EmbeddingRequest => ({
  model: "amazon.titan-embed-text-v2:0",
  input: ["Hello"],
  single: true,
  ...more,
});

function encoded(format: typeof titanEmbeddings, asked: EmbeddingRequest) {
  const dropped: string[] = [];
  const { model: _, ...wire } = format.encodeRequest(asked, (name) => dropped.push(name));
  return { wire, dropped };
}

describe("embeddings of Titan", () => {
  it.each<[Partial<EmbeddingRequest>, object, string[]]>([
    [{ dimensions: 256 }, { inputText: "Hello", dimensions: 256 }, []],
    [{ model: "amazon.titan-embed-text-v1", dimensions: 256 }, { inputText: "Hello" }, ["dimensions"]],
    [{ user: "u", inputType: "search_query" }, { inputText: "Hello" }, ["user", "input_type"]],
    [
      { model: "amazon.titan-embed-image-v1", dimensions: 384, input: [{ inputImage: "iVBORw0KGgo=" }] },
      { inputImage: "iVBORw0KGgo=", embeddingConfig: { outputEmbeddingLength: 384 } },
      [],
    ],
    [
      {
        model: "amazon.titan-embed-image-v1",
        encoding: "float",
        input: [{ text: "a cat", image: { url: "data:image/png;base64,AAAA" } }],
      },
      { inputText: "a cat", inputImage: "AAAA" },
      [],
    ],
    [
      { model: "amazon.titan-embed-image-v1", input: [{ parts: [{ image: { base64: "AAAA" } }, { text: "a" }] }] },
      { inputText: "a", inputImage: "AAAA" },
      [],
    ],
    [{ encoding: "float" }, { inputText: "Hello", embeddingTypes: ["float"] }, []],
    [{ encoding: "base64" }, { inputText: "Hello" }, []],
    [{ model: "amazon.titan-embed-g1-text-02", encoding: "float" }, { inputText: "Hello" }, []],
    [
      { extra: { format: "openai-embeddings", fields: { normalize: false, odd: 1 } } },
      { inputText: "Hello", normalize: false },
      ["odd"],
    ],
  ])("are asked for: %j", (more, wire, dropped) => {
    expect(encoded(titanEmbeddings, request(more))).toEqual({ wire, dropped });
  });

  it("are made of no image that would have to be fetched", () => {
    const input = [{ image: { url: "https://x.example/a.png" } }];
    expect(() => encoded(titanEmbeddings, request({ input }))).toThrow("a data URL");
  });

  it.each<[object, string]>([
    [{ text: "a", video: { base64: "AAAA" } }, "input"],
    [{ parts: [{ image: { base64: "AAAA" } }, { image: { base64: "AAAA" } }] }, "input.parts"],
    [{ parts: [{ inlineData: { mimeType: "application/pdf", data: "AAAA" } }] }, "input.parts"],
  ])("are made of no less than %j says", (item, param) => {
    const input = [item as Readonly<Record<string, unknown>>];
    expect(() => encoded(titanEmbeddings, request({ input }))).toThrow(
      expect.objectContaining({ code: "invalid_request", details: { param } }),
    );
  });

  it("are read with their count", () => {
    expect(titanEmbeddings.decodeResponse({ embedding: [0.5, -1], inputTextTokenCount: 4 })).toEqual({
      data: [{ index: 0, vector: [0.5, -1] }],
      usage: { inputTokens: 4 },
    });
    expect(() => titanEmbeddings.decodeResponse({ message: "no" })).toThrowError(
      expect.objectContaining({ code: "upstream_invalid" }),
    );
  });
});

it("embeddings of Nova are asked for and read", () => {
  const asked = request({ model: "amazon.nova-2-multimodal-embeddings-v1:0", dimensions: 384, inputType: "query" });
  expect(encoded(novaEmbeddings, asked).wire).toEqual({
    taskType: "SINGLE_EMBEDDING",
    singleEmbeddingParams: {
      embeddingPurpose: "GENERIC_RETRIEVAL",
      embeddingDimension: 384,
      text: { truncationMode: "END", value: "Hello" },
    },
  });
  const answer = { embeddings: [{ embeddingType: "TEXT", embedding: [1, 2] }] };
  expect(novaEmbeddings.decodeResponse(answer)).toEqual({ data: [{ index: 0, vector: [1, 2] }] });
  const counted = { ...answer, "amazon-bedrock-invocationMetrics": { inputTokenCount: 3 } };
  expect(novaEmbeddings.decodeResponse(counted)).toMatchObject({ usage: { inputTokens: 3 } });
});

it.each<[EmbeddingRequest["input"][number], object]>([
  [{ image: { base64: "iVBORw0KGgo=" } }, { image: { format: "png", source: { bytes: "iVBORw0KGgo=" } } }],
  [{ image: { url: "data:image/jpg;base64,AAAA" } }, { image: { format: "jpeg", source: { bytes: "AAAA" } } }],
  [{ text: "a" }, { text: { truncationMode: "END", value: "a" } }],
  [
    { video: { url: "s3://b/v.mov" } },
    {
      video: {
        format: "mov",
        source: { s3Location: { uri: "s3://b/v.mov" } },
        embeddingMode: "AUDIO_VIDEO_COMBINED",
      },
    },
  ],
  [{ parts: [{ image: { base64: "iVBORw0KGgo=" } }] }, { image: { format: "png", source: { bytes: "iVBORw0KGgo=" } } }],
  [{ audio: { base64: "AAAA" } }, { audio: { format: "mp3", source: { bytes: "AAAA" } } }],
  [{ image: { format: "gif", source: { bytes: "AAAA" } } }, { image: { format: "gif", source: { bytes: "AAAA" } } }],
])("Nova is shown %j in its words", (item, said) => {
  const { singleEmbeddingParams: params } = encoded(novaEmbeddings, request({ input: [item] })).wire;
  expect(params).toEqual({ embeddingPurpose: "GENERIC_INDEX", ...said });
});

it("Nova is shown no two images at once", () => {
  const input = [{ parts: [{ image: { base64: "AAAA" } }, { image: { base64: "AAAA" } }] }];
  expect(() => encoded(novaEmbeddings, request({ input }))).toThrow("no more than one image");
});

it("Nova is shown nothing that would have to be fetched", () => {
  const input = [{ image: { url: "https://x.example/a.png" } }];
  expect(() => encoded(novaEmbeddings, request({ input }))).toThrow("an s3:// address");
});

describe.each([titanEmbeddings, novaEmbeddings])("$name", (format) => {
  it("embeds one thing, and refuses more rather than leave some out", () => {
    for (const input of [["a", "b"], [[1, 2]]] as const)
      expect(() => format.encodeRequest(request({ input }), () => {})).toThrowError(
        expect.objectContaining({ code: "invalid_request" }),
      );
  });

  it("writes back what it read, in both directions", () => {
    const wire = format.encodeRequest(request({ dimensions: 384 }), () => {});
    expect(format.encodeRequest(format.decodeRequest(wire), () => {})).toEqual(wire);
    const odd = format.encodeRequest(request(), () => {});
    expect(format.encodeRequest(format.decodeRequest({ ...odd, newer: 1 }), () => {})).toEqual({ ...odd, newer: 1 });
    const answer = format.encodeResponse(
      { data: [{ index: 0, vector: [1, 0.5] }], usage: { inputTokens: 2 } },
      context,
    );
    expect(format.encodeResponse(format.decodeResponse({ ...answer, more: 1 }), context)).toEqual({
      ...answer,
      more: 1,
    });
    const base64 = Buffer.from(new Float32Array([1, 0.5]).buffer).toString("base64");
    expect(format.encodeResponse({ data: [{ index: 0, vector: base64 }], usage: { inputTokens: 2 } }, context)).toEqual(
      answer,
    );
  });

  it("knows the path of a model", () => {
    expect(format.readUrl?.("/model/a.b%3A0/invoke")).toEqual({ model: "a.b:0" });
    expect(format.readUrl?.("/else")).toEqual({});
  });
});
