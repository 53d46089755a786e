import { expect, it, onTestFinished } from "vitest";
import { startGateway } from "../../core/test-kit/index.ts";
import { openAiClient } from "../support/clients.ts";

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
  const formats = ["openai-chat", "openai-completions", "openai-embeddings", "ocr", "rerank"];
  const gateway = await startGateway({
    config: {
      plugins: {
        "auth-open": {},
        routing: {},
        ...Object.fromEntries(formats.map((name) => [`format-${name}`, {}])),
      },
      providers: Object.fromEntries(
        Object.keys(vendors).map((name) => [
          name,
          { baseUrl: `\${VENDOR}/${name}`, ...(name !== "ollama" && { apiKey: "key-0123456789" }) },
        ]),
      ),
    },
    upstreams: { VENDOR: ({ url }) => ({ json: vendors[url.split("/")[1] ?? ""] }) },
  });
  onTestFinished(gateway.close);
  const client = openAiClient({ url: gateway.url, headers: { "x-gateway-strict-params": "true" } });
  return (vendor: string, more: object = {}) => {
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
