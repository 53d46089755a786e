import { expect, it } from "vitest";
import { openAiClient } from "../support/clients.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const vectors = [
  [0.5, -0.25],
  [1, 2],
];
const openai = {
  data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
  usage: { prompt_tokens: 3, total_tokens: 3 },
};

/** What vendors that know numbers only answer, whatever was asked for. */
const vendors: Readonly<Record<string, object>> = {
  "mistral-ai": { ...openai, model: "m" },
  "together-ai": { model: "m", object: "list", ...openai },
  jina: openai,
  nomic: { embeddings: vectors, usage: { prompt_tokens: 3, total_tokens: 3 } },
  ai21: { results: vectors.map((embedding) => ({ embedding })) },
  ollama: { embedding: vectors[0] },
};

async function start() {
  let answer: object = {};
  const upstream = await startUpstream((_, response) => json(response, 200, answer));
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: {},
        ...Object.fromEntries(
          ["openai-chat", "openai-completions", "openai-embeddings", "ocr", "rerank"].map((name) => [
            `format-${name}`,
            {},
          ]),
        ),
      },
      providers: Object.fromEntries(
        Object.keys(vendors).map((name) => [
          name,
          { baseUrl: upstream.url, ...(name !== "ollama" && { apiKey: "key-0123456789" }) },
        ]),
      ),
    }),
  );
  const client = openAiClient({ url: gateway.url, headers: { "x-gateway-strict-params": "true" } });
  return (vendor: string, more: object = {}) => {
    answer = vendors[vendor] ?? {};
    const input = vendor === "ollama" ? "Hi" : ["Hi", "there"];
    return client.embeddings.create({ model: `${vendor}/m`, input, ...more }).withResponse();
  };
}

/** It asks for base64 by itself, and takes a list of numbers for an empty text. */
it.each(Object.keys(vendors))("the OpenAI client gets the vectors of %s, and nothing is lost", async (vendor) => {
  const ask = await start();
  const { data, response } = await ask(vendor);
  expect(data.data.map(({ embedding }) => embedding)).toEqual(vendor === "ollama" ? vectors.slice(0, 1) : vectors);
  expect(response.headers.get("x-gateway-dropped-params")).toBeNull();
});

it("who asks for numbers gets the vendor's own bytes", async () => {
  const ask = await start();
  const { response } = await ask("together-ai", { encoding_format: "float" });
  expect(Number(response.headers.get("content-length"))).toBe(JSON.stringify(vendors["together-ai"]).length);
});
