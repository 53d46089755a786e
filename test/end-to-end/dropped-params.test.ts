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

it.each([
  ["/v1/responses", { input: "Hi", tools: [], tool_choice: "auto", parallel_tool_calls: false }],
  [
    "/v1beta/models/m:generateContent",
    { contents: [{ parts: [{ text: "Hi" }] }], toolConfig: { functionCallingConfig: { mode: "NONE" } } },
  ],
])("vendors are not told how to use tools where there are none, and nothing is lost: %s", async (path, asked) => {
  const choices = [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }];
  const said = { id: "c", object: "chat.completion", created: 1, model: "m", choices };
  const claude = { id: "m", type: "message", role: "assistant", model: "m", content: [{ type: "text", text: "Hi." }] };
  const bodies: unknown[] = [];
  const formats = ["openai-chat", "openai-responses", "anthropic-messages", "gemini"];
  const gateway = await startGateway({
    config: {
      plugins: { "auth-open": {}, routing: {}, ...Object.fromEntries(formats.map((name) => [`format-${name}`, {}])) },
      providers: Object.fromEntries(
        ["nebius", "anthropic"].map((name) => [name, { baseUrl: `\${VENDOR}/${name}`, apiKey: "key-0123456789" }]),
      ),
    },
    upstreams: {
      VENDOR: ({ url, json }) => {
        bodies.push(json);
        return { json: url.startsWith("/nebius") ? said : { ...claude, stop_reason: "end_turn" } };
      },
    },
  });
  onTestFinished(gateway.close);
  for (const provider of ["nebius", "anthropic"]) {
    const response = await fetch(gateway.url + path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-gateway-provider": provider,
        "x-gateway-strict-params": "true",
      },
      body: JSON.stringify({ model: "m", ...asked }),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("Hi.")]);
  }
  for (const body of bodies) expect(Object.keys(body as object).filter((name) => /tool/.test(name))).toEqual([]);
  expect(bodies).toHaveLength(2);
});
