import { expect, it, onTestFinished } from "vitest";
import { startGateway } from "../../core/test-kit/index.ts";

const answer = { data: [{ object: "embedding", index: 0, embedding: [1] }], embeddings: [[1]], predictions: [] };

async function start() {
  const formats = ["openai-chat", "openai-embeddings", "cohere-chat", "gemini", "rerank"];
  const slugs = ["voyage", "nomic", "jina"];
  const asked: unknown[] = [];
  const gateway = await startGateway({
    config: {
      plugins: {
        "auth-open": {},
        routing: {},
        ...Object.fromEntries(formats.map((name) => [`format-${name}`, {}])),
      },
      providers: Object.fromEntries(
        slugs.map((name) => [name, { baseUrl: `\${VENDOR}/${name}`, apiKey: "key-0123456789" }]),
      ),
    },
    upstreams: {
      VENDOR: ({ body }) => {
        asked.push(JSON.parse(body.toString()));
        return { json: answer };
      },
    },
  });
  onTestFinished(gateway.close);
  return async (path: string, body: object) => {
    const response = await fetch(gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return { asked: asked.at(-1), dropped: response.headers.get("x-gateway-dropped-params") };
  };
}

it.each([
  ["voyage", { task_type: "RETRIEVAL_QUERY" }, { input_type: "query" }, null],
  ["voyage", { input_type: "document" }, { input_type: "document" }, null],
  ["voyage", { input_type: "clustering" }, {}, "input_type"],
  ["nomic", { input_type: "query" }, { task_type: "search_query" }, null],
  ["jina", { input_type: "search_document" }, { task: "retrieval.passage" }, null],
  ["jina", { input_type: "clustering" }, { task: "clustering" }, null],
  ["jina", { task: "text-matching" }, { task: "text-matching" }, null],
  ["jina", { task: "code.query" }, { task: "code.query" }, null],
])("%s is told %j in its words", async (vendor, purpose, told, dropped) => {
  const ask = await start();
  const got = await ask("/v1/embeddings", { model: `${vendor}/m`, input: ["a"], ...purpose });
  const [field] = vendor === "nomic" ? ["texts"] : ["input"];
  expect(got).toEqual({ asked: { model: "m", [field as string]: ["a"], ...told }, dropped });
});

it.each([
  ["jina-embeddings-v2-base-en", { input_type: "query" }, {}, "input_type"],
  ["jina-embeddings-v3", { input_type: "clustering" }, { task: "separation" }, null],
  ["jina-embeddings-v4", { input_type: "query" }, { task: "retrieval.query" }, null],
  ["jina-embeddings-v4", { input_type: "clustering" }, {}, "input_type"],
  ["jina-embeddings-v5-text-small", { input_type: "clustering" }, { task: "clustering" }, null],
  ["jina-embeddings-v3", { encoding_format: "base64", user: "u", dimensions: 8 }, { dimensions: 8 }, "user"],
  ["jina-embeddings-v2-base-en", { dimensions: 8 }, {}, "dimensions"],
])("%s is told %j in the words of its generation", async (model, said, told, dropped) => {
  const ask = await start();
  const got = await ask("/v1/embeddings", { model: `jina/${model}`, input: ["a"], ...said });
  expect(got).toEqual({ asked: { model, input: ["a"], ...told }, dropped });
});

it("vendors are told what clients of other formats want vectors for", async () => {
  const ask = await start();
  const texts = { model: "jina/m", texts: ["a"], input_type: "classification", embedding_types: ["float"] };
  expect(await ask("/v2/embed", texts)).toMatchObject({ asked: { task: "classification" }, dropped: null });
  const content = { content: { parts: [{ text: "a" }] }, taskType: "RETRIEVAL_DOCUMENT" };
  expect(await ask("/v1beta/models/voyage%2Fm:embedContent", content)).toMatchObject({
    asked: { input_type: "document" },
    dropped: null,
  });
});
