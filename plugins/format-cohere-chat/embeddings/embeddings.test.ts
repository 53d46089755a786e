import { describe, expect, it } from "vitest";
import type { EmbeddingRequest } from "../../../core/index.ts";
import { cohereEmbeddings } from "../index.ts";
import { context } from "../testing.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse } = cohereEmbeddings;
const png = "data:image/png;base64,iVBORw0KGgo=";

describe("cohere embeddings", () => {
  it.each([
    [{ texts: ["a", "b"], input_type: "search_query", embedding_types: ["float"] }],
    [
      {
        texts: ["a"],
        input_type: "classification",
        embedding_types: ["base64"],
        output_dimension: 256,
        truncate: "END",
      },
    ],
    [{ texts: ["a"], input_type: "clustering", embedding_types: ["float", "int8"], max_tokens: 9 }],
    [{ images: [png, "https://x.example/a.png"], input_type: "image", embedding_types: ["float"] }],
    [
      {
        inputs: [
          {
            content: [
              { type: "text", text: "a" },
              { type: "image_url", image_url: { url: png } },
            ],
          },
          {
            content: [
              { type: "image_url", image_url: { url: png } },
              { type: "text", text: "a" },
            ],
          },
          {
            content: [
              { type: "text", text: "a" },
              { type: "text", text: "b" },
            ],
          },
          { content: [{ type: "text", text: "c" }] },
        ],
        input_type: "search_document",
        embedding_types: ["ubinary"],
      },
    ],
  ])("give %j back as it came", (fields) => {
    const wire = { model: "embed-v4.0", ...fields };
    expect(encodeRequest(decodeRequest(wire), (name) => expect.fail(name))).toEqual(wire);
  });

  it("are texts where they are nothing else", () => {
    const inputs = ["a", "b"].map((text) => ({ content: [{ type: "text", text }] }));
    expect(decodeRequest({ model: "m", inputs, input_type: "search_query" }).input).toEqual(["a", "b"]);
  });

  const asked = (fields: Partial<EmbeddingRequest>) => {
    const dropped: string[] = [];
    const request = { model: "m", input: ["a"], single: false, ...fields };
    return { wire: encodeRequest(request, (name) => dropped.push(name)), dropped };
  };

  it("are asked for in the words of the API", () => {
    expect(asked({ encoding: "base64", dimensions: 8, inputType: "RETRIEVAL_QUERY", user: "u" })).toEqual({
      wire: { model: "m", texts: ["a"], input_type: "search_query", output_dimension: 8, embedding_types: ["base64"] },
      dropped: ["user"],
    });
    expect(asked({ input: [{ image: { base64: "AAAA" } }] }).wire).toMatchObject({
      images: ["data:image/jpeg;base64,AAAA"],
      input_type: "image",
    });
    expect(asked({ input: ["a", { text: "b", image: { url: png } }] }).wire).toMatchObject({
      inputs: [
        { content: [{ type: "text", text: "a" }] },
        {
          content: [
            { type: "text", text: "b" },
            { type: "image_url", image_url: { url: png } },
          ],
        },
      ],
      input_type: "search_document",
    });
  });

  it("take the vendor's own fields from clients of the unified API", () => {
    const extra = { format: "openai-embeddings", fields: { truncate: "START", embedding_types: ["int8"], odd: 1 } };
    const { wire, dropped } = asked({ extra });
    expect(wire).toMatchObject({ truncate: "START", embedding_types: ["int8"] });
    expect(dropped).toEqual(["odd"]);
  });

  it("show parts in their order, and one part as what it is", () => {
    const image = { image: { base64: "AAAA", mime_type: "image/png" } };
    const shown = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const text = { type: "text", text: "a" };
    expect(asked({ input: [{ parts: [image, { text: "a" }, image] }], single: true }).wire).toMatchObject({
      inputs: [{ content: [shown, text, shown] }],
      input_type: "search_document",
    });
    expect(asked({ input: [{ parts: [image] }] }).wire).toMatchObject({
      images: [shown.image_url.url],
      input_type: "image",
    });
  });

  it.each<[Partial<EmbeddingRequest>, string]>([
    [{ input: [[1, 2]], single: true }, "input"],
    [{ input: [{ text: "a", video: { url: "gs://b/v" } }] }, "input[0]"],
    [{ input: [{ parts: [{ text: "a" }, { inlineData: { mimeType: "application/pdf" } }] }] }, "input[0].parts[1]"],
    [{ input: ["a", { video: {} }] }, "input[1]"],
    [{ input: [{ image: {} }] }, "input[0].image"],
  ])("refuse %j, which the vendor cannot take", (fields, param) => {
    expect(() => asked(fields)).toThrow(expect.objectContaining({ code: "invalid_request", details: { param } }));
  });

  it.each<[unknown, string]>([
    [{}, "texts"],
    [{ texts: [7] }, "texts[0]"],
    [{ texts: ["a"], output_dimension: "8" }, "output_dimension"],
    [{ inputs: [{}] }, "inputs[0].content"],
  ])("refuse %j", (wire, param) => {
    expect(() => decodeRequest(wire)).toThrow(expect.objectContaining({ code: "invalid_request", details: { param } }));
  });

  it("are answered by kind, and as a bare list by older models", () => {
    const meta = { api_version: { version: "2" }, billed_units: { input_tokens: 3 } };
    const wire = {
      id: "e1",
      response_type: "embeddings_by_type",
      embeddings: { float: [[0.5], [1]], int8: [[1], [2]] },
      texts: ["a", "b"],
      meta,
    };
    const response = decodeResponse(wire);
    expect(response).toMatchObject({ data: [{ vector: [0.5] }, { vector: [1] }], usage: { inputTokens: 3 } });
    expect(encodeResponse(response, context)).toEqual(wire);
    const images = { embeddings: [[1]], meta: { billed_units: { images: 1, input_tokens: 2, image_tokens: 300 } } };
    expect(decodeResponse(images)).toMatchObject({ usage: { inputTokens: 302, inputImageTokens: 300 } });
    expect(decodeResponse({ embeddings: [[1]] }).data).toEqual([{ index: 0, vector: [1] }]);
    expect(decodeResponse({ embeddings: { base64: ["AAAAPw=="] } }).data).toEqual([{ index: 0, vector: "AAAAPw==" }]);
  });

  it("are written in the kind the client asked for", () => {
    const written = (vector: number[] | string, types?: string[]) =>
      encodeResponse(
        { data: [{ index: 0, vector }] },
        { ...context, ...(types && { asked: { embedding_types: types } }) },
      ).embeddings;
    expect(written([0.5], ["base64"])).toEqual({ base64: ["AAAAPw=="] });
    expect(written("AAAAPw==", ["float"])).toEqual({ float: [[0.5]] });
    expect(written("AAAAPw==")).toEqual({ base64: ["AAAAPw=="] });
  });

  it.each([[null], [{}], [{ embeddings: {} }], [{ embeddings: { float: [["a"]] } }], [{ message: "no" }]])(
    "are no answer: %j",
    (wire) => {
      expect(() => decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
    },
  );
});
