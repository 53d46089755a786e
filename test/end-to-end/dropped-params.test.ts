import { expect, it, onTestFinished } from "vitest";
import { startGateway } from "../../core/test-kit/index.ts";

const answer = { data: [{ object: "embedding", index: 0, embedding: [1] }] };

it("what a target could not be told that failed is not said of the one that answers", async () => {
  const formats = ["openai-chat", "openai-embeddings", "rerank"];
  const gateway = await startGateway({
    config: {
      plugins: {
        "auth-open": {},
        routing: {},
        "strategy-fallback": {},
        ...Object.fromEntries(formats.map((name) => [`format-${name}`, {}])),
      },
      providers: Object.fromEntries(
        ["voyage", "together-ai"].map((name) => [name, { baseUrl: `\${VENDOR}/${name}`, apiKey: "key-0123456789" }]),
      ),
    },
    upstreams: { VENDOR: ({ url }) => (url.startsWith("/voyage") ? { status: 503, json: {} } : { json: answer }) },
  });
  onTestFinished(gateway.close);
  const ask = async (...slugs: string[]) => {
    const config = { strategy: { mode: "fallback" }, targets: slugs.map((provider) => ({ provider })) };
    const response = await fetch(`${gateway.url}/v1/embeddings`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-gateway-config": JSON.stringify(config) },
      body: JSON.stringify({ model: "m", input: "a", user: "u" }),
    });
    return [response.status, response.headers.get("x-gateway-dropped-params")];
  };
  expect(await ask("voyage", "together-ai")).toEqual([200, null]);
  expect(await ask("voyage")).toEqual([503, "user"]);
});
