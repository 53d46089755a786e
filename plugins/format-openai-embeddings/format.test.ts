import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EmbeddingRequest, EmbeddingResponse, EncodeContext } from "../../core/index.ts";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import plugin, { openAiEmbeddings } from "./index.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, decodeError, readUsage } = openAiEmbeddings;
const context: EncodeContext = {
  provider: "openai",
  model: "asked-for",
  strict: true,
  now: 1_786_000_000,
  id: "0f1e2d",
  includeUsage: false,
};
const ignore = () => {};

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const item = fc.oneof(
  fc.string(),
  fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
  fc.record({ text: word, image: fc.record({ url: word }) }),
);
const arbitraryRequest: fc.Arbitrary<EmbeddingRequest> = fc
  .record(
    {
      model: word,
      input: fc.array(item, { minLength: 1, maxLength: 3 }),
      encoding: fc.constantFrom("float" as const, "base64" as const),
      dimensions: fc.integer({ min: 1, max: 3072 }),
      user: word,
    },
    { requiredKeys: ["model", "input"] },
  )
  .chain((request) => fc.boolean().map((one) => ({ ...request, single: one && request.input.length === 1 })));
const arbitraryResponse: fc.Arbitrary<EmbeddingResponse> = fc.record(
  {
    model: word,
    data: fc
      .array(fc.oneof(fc.array(fc.double({ noNaN: true })), word))
      .map((vectors) => vectors.map((vector, index) => ({ index, vector }))),
    usage: fc.record({ inputTokens: fc.nat() }),
  },
  { requiredKeys: ["model", "data"] },
);

describe("openai-embeddings", () => {
  it("gives back every canonical request and answer", () => {
    fc.assert(
      fc.property(arbitraryRequest, arbitraryResponse, (request, response) => {
        const wire = deepFreeze(encodeRequest(deepFreeze(request), ignore));
        expect(decodeRequest(wire)).toEqual(request);
        expect(JSON.stringify(encodeRequest(request, ignore))).toBe(JSON.stringify(wire));
        expect(decodeResponse(deepFreeze(encodeResponse(deepFreeze(response), context)))).toEqual(response);
      }),
    );
  });

  it.each([
    [{ input: "text" }],
    [{ input: ["text", "more"] }],
    [{ input: [1, 2, 3] }],
    [{ input: [[1], [2, 3]] }],
    [{ input: { text: "a cat", image: { url: "https://files.example.com/cat.png" } } }],
    [{ input: [{ image: { base64: "AAAA" } }, { video: { url: "gs://b/v", start_offset: 0 } }] }],
    [{ input: "a", encoding_format: "base64", dimensions: 1, user: "u" }],
    [{ input: "a", input_type: "search_query" }],
    [{ input: "a", task_type: "RETRIEVAL_QUERY", truncate: "END" }],
    [{ input: "a", task_type: "RETRIEVAL_QUERY", input_type: "search_query" }],
  ])("gives %j back as it came", (fields) => {
    const dropped: string[] = [];
    const wire = deepFreeze({ model: "m", ...fields });
    expect(encodeRequest(decodeRequest(wire), (name) => dropped.push(name))).toEqual(wire);
    expect(dropped).toEqual([]);
  });

  it.each<[unknown, string, RegExp]>([
    [null, "body", /an object, got null/],
    [{ input: "a" }, "model", /^model is required and must be a string$/],
    [{ model: "m" }, "input", /^input is required/],
    [{ model: "m", input: null }, "input", /got null/],
    [{ model: "m", input: [] }, "input", /at least one item/],
    [{ model: "m", input: ["a", null] }, "input[1]", /got null/],
    [{ model: "m", input: [1, "a"] }, "input[1]", /an integer, got "a"/],
    [{ model: "m", input: [[]] }, "input[0]", /at least one token id/],
    [{ model: "m", input: [[1, 1.5]] }, "input[0][1]", /an integer, got 1.5/],
    [{ model: "m", input: "a", dimensions: 0 }, "dimensions", /an integer of 1 or more, got 0/],
    [{ model: "m", input: "a", encoding_format: "hex" }, "encoding_format", /"float", "base64", got "hex"/],
  ])("refuses %j", (wire, param, message) => {
    expect(() => decodeRequest(wire)).toThrow(
      expect.objectContaining({ code: "invalid_request", message: expect.stringMatching(message), details: { param } }),
    );
  });

  it("reports what it cannot carry", () => {
    const dropped: string[] = [];
    const wire = encodeRequest(
      {
        model: "m",
        input: ["a"],
        single: true,
        inputType: "search_query",
        extra: { format: "cohere-embed", fields: { embeddingTypes: ["float"] } },
      },
      (name) => dropped.push(name),
    );
    expect(wire).toEqual({ model: "m", input: "a" });
    expect(dropped).toEqual(["embedding_types", "input_type"]);
    expect(openAiEmbeddings.drops).toContain("input_type");
    const request: EmbeddingRequest = { model: "m", input: ["a"], single: true, inputType: "search_query" };
    const vendor = { purposes: { field: "task", words: {} } };
    const refused = () => expect.unreachable();
    expect(encodeRequest(request, refused, vendor)).toEqual({ model: "m", input: "a", input_type: "search_query" });
  });

  it("reads answers, and writes them back with their provider", () => {
    const wire = {
      object: "list",
      data: [
        { object: "embedding", index: 0, embedding: [0.1, -0.2] },
        { object: "embedding", index: 1, embedding: "AAAAPw==" },
      ],
      model: "text-embedding-3-small",
      usage: { prompt_tokens: 8, total_tokens: 8 },
      id: "emb_1",
    };
    expect(encodeResponse(decodeResponse(deepFreeze(wire)), context)).toEqual({ ...wire, provider: "openai" });
    const image = { data: [{ index: 0, vector: [1], parts: { image: [1] } }] };
    expect(decodeResponse({ data: [{ image_embedding: [1] }] })).toEqual(image);
    expect(encodeResponse(image, { ...context, asked: { encoding_format: "base64" } }).data).toEqual([
      { object: "embedding", index: 0, embedding: "AACAPw==", image_embedding: [1] },
    ]);
    const media = [
      { object: "embedding", index: 0, embedding: [1], image_embedding: [2] },
      {
        object: "embedding",
        index: 1,
        video_embeddings: [{ embedding: [3], index: 0, start_offset: 0, end_offset: 4 }],
      },
    ];
    expect(encodeResponse(decodeResponse({ data: media }), context).data).toEqual(media);
    expect(encodeResponse({ data: [] }, context)).toEqual({
      object: "list",
      data: [],
      model: "asked-for",
      provider: "openai",
    });
  });

  it.each([[null], [{}], [{ data: [{ embedding: 7 }] }], [{ data: [{ index: 0 }] }], [{ error: { message: "no" } }]])(
    "refuses %j as an answer",
    (wire) => {
      expect(() => decodeResponse(wire)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
    },
  );

  it("reads usage and errors", () => {
    expect(readUsage({ usage: { prompt_tokens: 8, total_tokens: 8 } })).toEqual({ inputTokens: 8 });
    expect(readUsage({ usage: { total_tokens: 5 } })).toEqual({ inputTokens: 5 });
    expect(readUsage({ usage: { prompt_tokens: -1, total_tokens: -1 } })).toBeUndefined();
    expect(readUsage(null)).toBeUndefined();
    expect(decodeError({ error: { message: "no", type: "t" } })).toEqual({ message: "no", type: "t" });
    expect(decodeError({ detail: "no" })).toEqual({ message: "no" });
  });
});

describe("format-openai-embeddings", () => {
  it("registers the format and its endpoint", async () => {
    const registered: unknown[] = [];
    const add = (value: unknown) => registered.push(value);
    await plugin.setup({ format: add, endpoint: add } as unknown as Parameters<typeof plugin.setup>[0], {});
    expect(registered).toEqual([
      openAiEmbeddings,
      { type: "embed", method: "POST", path: "/v1/embeddings", operation: "embed", format: "openai-embeddings" },
    ]);
  });
});
