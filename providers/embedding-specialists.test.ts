import { describe, expect, it } from "vitest";
import { boundProvider } from "../core/conformance/testing.ts";
import type { OperationName } from "../core/model/operations.ts";
import cohere from "./cohere/index.ts";
import mistral from "./mistral-ai.ts";
import nomic from "./nomic.ts";
import pinecone from "./pinecone.ts";
import voyage from "./voyage.ts";

const apiKey = "sk-test-0123456789";

async function specOf(definition: typeof cohere, operation: OperationName) {
  const [spec] = (await boundProvider(definition, { apiKey })).operations[operation] ?? [];
  if (!spec) throw new Error(`${definition.name} has no ${operation}.`);
  return spec;
}

describe("vendors that embed and rank", () => {
  it.each([
    [{ encoding_format: "float", input: "a" }, { input: "a" }],
    [{ encoding_format: null, input: "a" }, { input: "a" }],
    [
      { encoding_format: "base64", input: "a" },
      { encoding_format: "base64", input: "a" },
    ],
  ])("ask Voyage for %j in its words", async (wire, told) => {
    const spec = await specOf(voyage, "embed");
    expect(spec.rewrite?.apply(wire)).toEqual(told);
    expect(spec).toMatchObject({ path: "/embeddings", renames: { dimensions: "output_dimension" }, drops: ["user"] });
  });

  it("leave out what Mistral refuses, and call sizes as it does", async () => {
    expect(await specOf(mistral, "embed")).toMatchObject({
      path: "/embeddings",
      drops: ["user", "input_type", "task_type"],
      renames: { dimensions: "output_dimension" },
    });
  });

  it("say of Voyage's total that it is what was read, and of its errors what they are", async () => {
    const { normalise } = await specOf(voyage, "embed");
    expect(normalise?.({ data: [], usage: { total_tokens: 7 } })).toEqual({
      data: [],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    });
    expect(normalise?.({ data: [] })).toEqual({ data: [] });
    expect(voyage.readError?.(400, { detail: "no such model" })).toEqual({
      message: "no such model",
      type: "Invalid Request",
    });
    for (const wire of [{ detail: [{ loc: ["body"], msg: "no" }] }, { error: "no" }, null])
      expect(voyage.readError?.(400, wire)).toBeUndefined();
  });

  it("ask Nomic for texts, and read vectors without anything around them", async () => {
    const { rewrite, normalise, path } = await specOf(nomic, "embed");
    expect(path).toBe("/embedding/text");
    expect(rewrite?.apply({ model: "m", input: "a" })).toEqual({ model: "m", texts: ["a"] });
    expect(rewrite?.apply({ input: ["a", "b"], task_type: "clustering" })).toEqual({
      texts: ["a", "b"],
      task_type: "clustering",
    });
    expect(normalise?.({ embeddings: [[1], [2]], usage: { total_tokens: 3 } })).toEqual({
      data: [
        { object: "embedding", index: 0, embedding: [1] },
        { object: "embedding", index: 1, embedding: [2] },
      ],
      usage: { total_tokens: 3 },
    });
    expect(normalise?.({ detail: "no" })).toEqual({ detail: "no" });
  });

  it("are given their keys where they look for them", async () => {
    expect((await boundProvider(pinecone, { apiKey })).headers).toEqual({
      "api-key": apiKey,
      "x-pinecone-api-version": "2025-04",
    });
    expect((await boundProvider(pinecone)).usable).toBe(false);
    expect((await boundProvider(cohere, { apiKey })).headers).toEqual({ authorization: `Bearer ${apiKey}` });
  });

  it.each([
    [cohere, "chat", "cohere-chat", "/v2/chat"],
    [cohere, "embed", "cohere-embeddings", "/v2/embed"],
    [cohere, "rerank", "cohere-rerank", "/v2/rerank"],
    [voyage, "rerank", "voyage-rerank", "/rerank"],
    [pinecone, "rerank", "pinecone-rerank", "/rerank"],
  ] as const)("$0.name is asked for %s in %s at %s", async (definition, operation, format, path) => {
    expect(await specOf(definition, operation)).toMatchObject({ format, path });
  });

  it("move numbers into the bounds of Cohere", async () => {
    expect((await specOf(cohere, "chat")).clamps).toMatchObject({ p: [0.01, 0.99], k: [0, 500] });
  });
});
