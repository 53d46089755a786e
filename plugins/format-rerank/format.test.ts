import { describe, expect, it } from "vitest";
import type { EncodeContext, Format, RerankRequest } from "../../core/index.ts";
import { deepFreeze } from "../../test/arbitraries/chat.ts";
import plugin, { rerankFormats } from "./index.ts";

const formats = new Map(rerankFormats.map((format) => [format.name, format]));
function named(name: string): Format<"rerank"> {
  const format = formats.get(name);
  if (!format) throw new Error(`there is no ${name}`);
  return format;
}

const context: EncodeContext = {
  provider: "acme",
  model: "asked-for",
  strict: true,
  now: 1_786_000_000,
  id: "0f1e2d",
  includeUsage: false,
};

const asked = {
  model: "m",
  query: "q",
  documents: ["a", { text: "b" }],
  top_n: 1,
  return_documents: true,
  max_tokens_per_doc: 9,
  priority: 2,
  rank_fields: ["text"],
  parameters: { truncate: "END" },
  truncation: false,
};
const common = { model: "m", query: "q" };

/** What each vendor is sent for the same unified request, and what it cannot be told. */
const requests: readonly (readonly [string, object, readonly string[]])[] = [
  [
    "cohere-rerank",
    { ...common, documents: ["a", "b"], top_n: 1, max_tokens_per_doc: 9, priority: 2 },
    ["rank_fields", "parameters", "truncation"],
  ],
  [
    "voyage-rerank",
    { ...common, documents: ["a", "b"], top_k: 1, return_documents: true, truncation: false },
    ["max_tokens_per_doc", "priority", "rank_fields", "parameters"],
  ],
  [
    "jina-rerank",
    { ...common, documents: ["a", "b"], top_n: 1, return_documents: true },
    ["max_tokens_per_doc", "priority", "rank_fields", "parameters", "truncation"],
  ],
  [
    "pinecone-rerank",
    {
      ...common,
      documents: [{ text: "a" }, { text: "b" }],
      top_n: 1,
      return_documents: true,
      rank_fields: ["text"],
      parameters: { truncate: "END" },
    },
    ["max_tokens_per_doc", "priority", "truncation"],
  ],
  [
    "bedrock-rerank",
    {
      queries: [{ type: "TEXT", textQuery: { text: "q" } }],
      sources: ["a", "b"].map((text) => ({
        type: "INLINE",
        inlineDocumentSource: { type: "TEXT", textDocument: { text } },
      })),
      rerankingConfiguration: {
        type: "BEDROCK_RERANKING_MODEL",
        bedrockRerankingConfiguration: { numberOfResults: 1, modelConfiguration: { modelArn: "m" } },
      },
    },
    ["max_tokens_per_doc", "priority", "rank_fields", "parameters", "truncation"],
  ],
  [
    "vertex-rerank",
    {
      ...common,
      topN: 1,
      ignoreRecordDetailsInResponse: false,
      records: [
        { id: "0", content: "a" },
        { id: "1", content: "b" },
      ],
    },
    ["max_tokens_per_doc", "priority", "rank_fields", "parameters", "truncation"],
  ],
];

describe.each(requests)("%s", (name, expected, lost) => {
  const format = named(name);
  it("is asked what the unified request asks, and says what it cannot be told", () => {
    const dropped: string[] = [];
    const request = deepFreeze(named("rerank").decodeRequest(deepFreeze(asked)));
    expect(format.encodeRequest(request, (name) => dropped.push(name))).toEqual(expected);
    expect(dropped.sort()).toEqual([...lost].sort());
    expect(dropped.filter((name) => !format.drops.includes(name))).toEqual([]);
  });

  it("reads its own request back", () => {
    expect(format.encodeRequest(format.decodeRequest(deepFreeze(expected)), (name) => expect.fail(name))).toEqual(
      expected,
    );
  });

  it("refuses a body that is none of its requests", () => {
    for (const wire of [null, {}, { ...expected, documents: [], records: [], sources: [] }])
      expect(() => format.decodeRequest(wire)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});

/** What each vendor answers, and what of it every client is shown. */
const answers: readonly (readonly [string, Record<string, unknown>, object])[] = [
  [
    "cohere-rerank",
    { id: "r1", results: [{ index: 1, relevance_score: 0.9 }], meta: { billed_units: { search_units: 1 } } },
    { id: "r1", results: [{ index: 1, relevance_score: 0.9 }], usage: { search_units: 1 } },
  ],
  [
    "voyage-rerank",
    {
      object: "list",
      data: [{ index: 1, relevance_score: 0.9, document: "b" }],
      model: "rerank-2",
      usage: { total_tokens: 7 },
    },
    {
      model: "rerank-2",
      results: [{ index: 1, relevance_score: 0.9, document: { text: "b" } }],
      usage: { total_tokens: 7 },
    },
  ],
  [
    "jina-rerank",
    { model: "j", results: [{ index: 1, relevance_score: 0.9, document: { text: "b" } }], usage: { total_tokens: 7 } },
    { model: "j", results: [{ index: 1, relevance_score: 0.9, document: { text: "b" } }] },
  ],
  [
    "pinecone-rerank",
    { model: "p", data: [{ index: 1, score: 0.9, document: { id: "x", text: "b" } }], usage: { rerank_units: 2 } },
    { results: [{ index: 1, relevance_score: 0.9, document: { id: "x", text: "b" } }], usage: { search_units: 2 } },
  ],
  [
    "bedrock-rerank",
    { results: [{ index: 1, relevanceScore: 0.9 }] },
    { model: "asked-for", results: [{ index: 1, relevance_score: 0.9 }] },
  ],
  [
    "vertex-rerank",
    { records: [{ id: "1", score: 0.9, title: "T", content: "b" }] },
    { results: [{ index: 1, relevance_score: 0.9, document: { title: "T", text: "b" } }] },
  ],
];

describe.each(answers)("an answer of %s", (name, wire, expected) => {
  const format = named(name);
  it("holds the unified fields beside the vendor's own", () => {
    const body = named("rerank").encodeResponse(deepFreeze(format.decodeResponse(deepFreeze(wire))), context);
    expect(body).toMatchObject({ object: "list", provider: "acme", ...expected });
    for (const field of Object.keys(wire).filter((field) => field !== "results")) expect(body).toHaveProperty(field);
  });

  it("tells its usage on the side as well", () => {
    expect(format.readUsage(wire)).toEqual(format.decodeResponse(wire).usage);
    expect(format.readUsage(null)).toBeUndefined();
  });

  it("is refused when it is none", () => {
    for (const odd of [
      null,
      {},
      { message: "no" },
      { results: [{}], data: [{ index: 0 }], records: [{ id: "x", score: 1 }] },
      ...[null, ""].map((index) => {
        const list = [{ index, id: index, score: 1, relevance_score: 1, relevanceScore: 1 }];
        return { results: list, data: list, records: list };
      }),
    ])
      expect(() => format.decodeResponse(odd)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
  });
});

describe("rerank", () => {
  const { decodeRequest, encodeRequest, encodeResponse, decodeResponse } = named("rerank");

  it("gives a request back as it came", () => {
    expect(encodeRequest(decodeRequest(deepFreeze(asked)), (name) => expect.fail(name))).toEqual(asked);
  });

  it.each<[object, string]>([
    [{ query: "q", documents: ["a"] }, "model"],
    [{ ...common, documents: "a" }, "documents"],
    [{ ...common, documents: [] }, "documents"],
    [{ ...common, documents: ["a", 7] }, "documents[1]"],
    [{ model: "m", documents: ["a"] }, "query"],
    [{ ...common, documents: ["a"], top_n: 0 }, "top_n"],
    [{ ...common, documents: ["a"], return_documents: "yes" }, "return_documents"],
  ])("refuses %j", (wire, param) => {
    expect(() => decodeRequest(wire)).toThrow(expect.objectContaining({ code: "invalid_request", details: { param } }));
  });

  it("puts the best first, with the client's documents where it wants them and the vendor has none", () => {
    const results = [
      { index: 0, score: 0.1 },
      { index: 1, score: 0.8 },
    ].map(({ index, score }) => ({ index, relevance_score: score }));
    const response = decodeResponse({ results });
    const documents = ["a", { text: "b", title: "B" }];
    const shown = (return_documents: boolean) =>
      encodeResponse(response, { ...context, asked: { return_documents, documents } }).results;
    expect(shown(true)).toEqual([
      { index: 1, relevance_score: 0.8, document: { text: "b", title: "B" } },
      { index: 0, relevance_score: 0.1, document: { text: "a" } },
    ]);
    expect(shown(false)).toEqual([results[1], results[0]]);
  });

  const request = (documents: RerankRequest["documents"]): RerankRequest => ({ model: "m", query: "q", documents });

  it("says which fields of documents are lost, and refuses documents without a text", () => {
    const dropped: string[] = [];
    named("cohere-rerank").encodeRequest(
      request([
        { text: "a", title: "T" },
        { text: "b", title: "U" },
      ]),
      (name) => dropped.push(name),
    );
    expect(dropped).toEqual(["documents.title"]);
    expect(() => named("jina-rerank").encodeRequest(request(["a", { body: "b" }]), () => {})).toThrow(
      expect.objectContaining({ code: "invalid_request", details: { param: "documents[1].text" } }),
    );
  });

  it("knows how many documents a vendor takes, and that one repeats them unless told", () => {
    const vertex = named("vertex-rerank");
    expect(() => vertex.encodeRequest(request(Array<string>(201).fill("a")), () => {})).toThrow(/at most 200/);
    expect(vertex.encodeRequest({ ...request([{ text: "a", title: "T" }]), returnDocuments: false }, () => {})).toEqual(
      {
        ...common,
        ignoreRecordDetailsInResponse: true,
        records: [{ id: "0", title: "T", content: "a" }],
      },
    );
  });

  it("answers clients of one vendor with what another says", () => {
    const answer = named("pinecone-rerank").decodeResponse({
      data: [{ index: 0, score: 0.5 }],
      usage: { rerank_units: 3 },
    });
    expect(named("cohere-rerank").encodeResponse(answer, context)).toEqual({
      id: "0f1e2d",
      results: [{ index: 0, relevance_score: 0.5 }],
      meta: { billed_units: { search_units: 3 } },
    });
    // A vendor that does not say what it billed is not said to have billed nothing.
    const { usage: _, ...untold } = answer;
    expect(named("cohere-rerank").encodeResponse(untold, context)).toEqual({
      id: "0f1e2d",
      results: [{ index: 0, relevance_score: 0.5 }],
      meta: {},
    });
    const own = {
      id: "r",
      results: [{ index: 0, relevance_score: 1 }],
      meta: { billed_units: { search_units: 1 }, odd: 1 },
    };
    expect(named("cohere-rerank").encodeResponse(named("cohere-rerank").decodeResponse(own), context)).toEqual(own);
  });
});

it("has of a client of Bedrock what only Bedrock takes, and documents of JSON as texts", () => {
  const { lift, decodeRequest, encodeRequest } = named("bedrock-rerank");
  const modelConfiguration = {
    modelArn: "arn:aws-us-gov:bedrock:us-gov-west-1::foundation-model/cohere.rerank-v3-5:0",
    additionalModelRequestFields: { a: 1 },
  };
  const wire = {
    queries: [{ type: "TEXT", textQuery: { text: "q" } }],
    sources: [{ type: "INLINE", inlineDocumentSource: { type: "JSON", jsonDocument: { b: 2 } } }],
    rerankingConfiguration: { bedrockRerankingConfiguration: { modelConfiguration } },
    nextToken: "t",
  };
  const model = lift?.(deepFreeze(wire));
  const request = decodeRequest({ ...wire, model });
  expect(request).toMatchObject({ model: "cohere.rerank-v3-5:0", documents: ['{"b":2}'] });
  const own = { modelArn: "cohere.rerank-v3-5:0", additionalModelRequestFields: { a: 1 } };
  expect(encodeRequest(request, (name) => expect.fail(name))).toMatchObject({
    nextToken: "t",
    rerankingConfiguration: { bedrockRerankingConfiguration: { modelConfiguration: own } },
  });
  const dropped: string[] = [];
  named("cohere-rerank").encodeRequest(request, (name) => dropped.push(name));
  expect(dropped).toEqual(["next_token", "additional_model_request_fields"]);
});

describe("format-rerank", () => {
  it("brings the formats and the endpoints that speak them", async () => {
    const registered: unknown[] = [];
    const add = (value: unknown) => registered.push(value);
    await plugin.setup({ format: add, endpoint: add } as unknown as Parameters<typeof plugin.setup>[0], {});
    const place = { type: "rerank", method: "POST", operation: "rerank" };
    const inFormatOf = (whose: string) => ({ tag: "rerank", summary: expect.stringContaining(`${whose} format`) });
    expect(registered).toEqual([
      ...rerankFormats,
      { ...place, path: "/v1/rerank", format: "rerank" },
      { ...place, path: "/v2/rerank", format: "cohere-rerank", description: inFormatOf("Cohere's") },
      { ...place, path: "/rerank", format: "bedrock-rerank", description: inFormatOf("Bedrock's") },
    ]);
  });
});
