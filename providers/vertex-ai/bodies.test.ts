import { describe, expect, it } from "vitest";
import { betas, bodyFor } from "./claude.ts";
import { embeddingsOf, instancesOf, oneContent } from "./embeddings.ts";
import vertex from "./index.ts";

describe("bodies for Claude", () => {
  it("say the version and no model, and keep what they do not know", () => {
    const wire = { model: "m", max_tokens: 1, messages: [{ role: "user", content: "hi" }], top_k: 2 };
    expect(bodyFor(undefined)(wire)).toEqual({
      max_tokens: 1,
      messages: [{ role: "user", content: "hi" }],
      top_k: 2,
      anthropic_version: "vertex-2023-10-16",
    });
  });

  it.each([
    [undefined, undefined, "vertex-2023-10-16"],
    [undefined, "vertex-2", "vertex-2"],
    ["vertex-3", "vertex-2", "vertex-3"],
  ])("take the version of the options (%s) before that of the body (%s)", (option, body, version) => {
    const wire = body === undefined ? {} : { anthropic_version: body };
    expect(bodyFor(option)(wire).anthropic_version).toBe(version);
  });

  it("have cache markers without a scope, at every depth", () => {
    const marker = { type: "ephemeral", scope: "global", ttl: "1h" };
    const block = (cache_control: object) => ({ type: "text", text: "a", cache_control });
    const wire = (control: object) => ({
      system: [block(control)],
      tools: [{ name: "t", cache_control: control }],
      messages: [
        {
          role: "user",
          content: [block(control), { type: "tool_result", tool_use_id: "1", content: [block(control)] }],
        },
      ],
    });
    const told = JSON.parse(JSON.stringify(bodyFor("v")(wire(marker))));
    expect(told).toEqual({ ...wire({ type: "ephemeral", ttl: "1h" }), anthropic_version: "v" });
  });

  it("go without the betas of another host", () => {
    expect(betas("files-api-2025-04-14, context-1m-2025-08-07,thinking-token-count-2026-01-01")).toBe(
      "context-1m-2025-08-07",
    );
    expect(betas("skills-2025-10-02")).toBeUndefined();
    expect(
      betas(
        "claude-code-20250219,effort-2025-11-24,advisor-tool-2026-03-01,context-management-2025-06-27,structured-outputs-2025-11-13",
      ),
    ).toBe("claude-code-20250219,context-management-2025-06-27");
    expect(betas("advanced-tool-use-2025-11-20")).toBe("tool-search-tool-2025-10-19");
  });
});

describe("embeddings", () => {
  it("of texts are asked for as instances", () => {
    expect(instancesOf({ model: "text-embedding-005", input: "a", encoding_format: "base64" })).toEqual({
      instances: [{ content: "a" }],
    });
    expect(
      instancesOf({
        model: "text-embedding-005",
        input: ["a", "b"],
        dimensions: 8,
        task_type: "RETRIEVAL_QUERY",
        parameters: { autoTruncate: false },
      }),
    ).toEqual({
      instances: [
        { content: "a", task_type: "RETRIEVAL_QUERY" },
        { content: "b", task_type: "RETRIEVAL_QUERY" },
      ],
      parameters: { outputDimensionality: 8, autoTruncate: false },
    });
    const lost: string[] = [];
    const ask = { model: "text-embedding-005", input: "a", output_dimensionality: 8 };
    expect(instancesOf(ask, (name) => lost.push(name)).parameters).toEqual({ outputDimensionality: 8 });
    expect(lost).toEqual([]);
  });

  it("of media are asked for in the words of the multimodal model", () => {
    const video = { url: "gs://b/v.mp4", start_offset: 1, end_offset: 9, interval: 4 };
    expect(
      instancesOf({
        model: "multimodalembedding@001",
        input: ["a", { text: "b", image: { base64: "data:image/png;base64,AAAA" }, video }],
        dimensions: 128,
      }),
    ).toEqual({
      instances: [
        { text: "a" },
        {
          text: "b",
          image: { bytesBase64Encoded: "AAAA" },
          video: {
            gcsUri: "gs://b/v.mp4",
            videoSegmentConfig: { startOffsetSec: 1, endOffsetSec: 9, intervalSec: 4 },
          },
        },
      ],
      parameters: { dimension: 128 },
    });
  });

  it("name what they cannot say of a request", () => {
    const lost: string[] = [];
    const input = [{ text: "a", title: "A", audio: { url: "gs://b/a" } }];
    expect(
      instancesOf({ model: "text-embedding-005", input, encoding_format: "base64", odd: 1, truncate: null }, (name) =>
        lost.push(name),
      ),
    ).toEqual({ instances: [{ content: "a", title: "A" }] });
    instancesOf({ model: "multimodalembedding@001", input, input_type: "query" }, (name) => lost.push(name));
    expect(lost).toEqual(["odd", "input.audio", "input_type", "input.title", "input.audio"]);
  });

  it.each([
    ["text-embedding-005", [[1, 2]]],
    ["text-embedding-005", [{ image: { url: "gs://b/i" } }]],
    ["multimodalembedding@001", [[1, 2]]],
    ["multimodalembedding@001", [{ image: { url: "https://x.example/a.png" } }], "input[0].image"],
  ])("of %s are refused for %j", (model, input, param = "input[0]") => {
    expect(() => instancesOf({ model, input })).toThrow(
      expect.objectContaining({ code: "invalid_request", details: { param } }),
    );
  });

  it("are read from predictions, with the tokens of all", () => {
    const prediction = (values: number[], token_count?: number) => ({
      embeddings: { values, ...(token_count !== undefined && { statistics: { token_count } }) },
    });
    const data = [
      { object: "embedding", index: 0, embedding: [1] },
      { object: "embedding", index: 1, embedding: [2] },
    ];
    expect(embeddingsOf({ predictions: [prediction([1], 2), prediction([2], 3)] })).toEqual({
      object: "list",
      data,
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
    // Unknown is not zero.
    expect(embeddingsOf({ predictions: [prediction([1], 2), prediction([2])] })).toEqual({ object: "list", data });
  });

  it("of one item with several media stand in one entry", () => {
    const prediction = {
      textEmbedding: [1],
      imageEmbedding: [2],
      videoEmbeddings: [{ startOffsetSec: 0, endOffsetSec: 4, embedding: [3] }, { embedding: [4] }],
    };
    const { data } = embeddingsOf({ predictions: [prediction, { imageEmbedding: [5] }] });
    expect(data).toEqual([
      {
        object: "embedding",
        index: 0,
        embedding: [1],
        image_embedding: [2],
        video_embeddings: [
          { embedding: [3], index: 0, start_offset: 0, end_offset: 4 },
          { embedding: [4], index: 1 },
        ],
      },
      { object: "embedding", index: 1, image_embedding: [5] },
    ]);
  });

  it("by content are made one at a time", () => {
    const content = { parts: [{ text: "a" }] };
    const { apply } = oneContent;
    expect(apply({ content })).toEqual({ content });
    expect(apply({ requests: [{ model: "models/m", content, taskType: "CLUSTERING" }] })).toEqual({
      content,
      embedContentConfig: { taskType: "CLUSTERING" },
    });
    const own = { content, output_dimensionality: 8, title: "T", embedContentConfig: { autoTruncate: true } };
    expect(apply(own)).toEqual({
      content,
      embedContentConfig: { outputDimensionality: 8, title: "T", autoTruncate: true },
    });
    expect(() => apply({ requests: [{ content }, { content }] })).toThrow("one at a time");
  });
});

it.each<[unknown, unknown]>([
  [
    [{ error: { code: 404, message: "no model", status: "NOT_FOUND" } }],
    { message: "no model", type: "NOT_FOUND", code: "404" },
  ],
  [
    { error: { code: 400, message: "bad", status: "INVALID_ARGUMENT" } },
    { message: "bad", type: "INVALID_ARGUMENT", code: "400" },
  ],
  [{ type: "error", error: { type: "rate_limit_error", message: "slow" } }, undefined],
  ["no", undefined],
  [null, undefined],
])("reads the error in %j", (wire, detail) => {
  expect(vertex.readError?.(400, wire)).toEqual(detail);
});
