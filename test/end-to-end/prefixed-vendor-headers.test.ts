import { expect, it, onTestFinished } from "vitest";
import { defineProvider } from "../../core/provider-kit/index.ts";
import { startGateway } from "../../core/test-kit/index.ts";

const answer = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "Hello" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

async function start() {
  const gateway = await startGateway({
    config: {
      plugins: {
        "auth-open": {},
        routing: {},
        retry: {},
        proxy: {},
        "format-openai-chat": {},
        "format-anthropic-messages": {},
      },
      providers: { anthropic: { apiKey: "vendor-key-0123456789", baseUrl: "${VENDOR}" } },
    },
    upstreams: { VENDOR: { json: answer } },
  });
  onTestFinished(gateway.close);
  return gateway;
}

const byConfig = { "x-gateway-config": JSON.stringify({ provider: "@anthropic" }) };
const byHeader = { "x-gateway-provider": "@anthropic" };
const prefixed = { "x-gateway-anthropic-beta": "a,b", "x-gateway-anthropic-version": "2024-01-01" };
const plain = { "anthropic-beta": "c", "anthropic-version": "2025-01-01" };

it.each([
  ["its own client", "/v1/messages"],
  ["a client of another format", "/v1/chat/completions"],
  ["a raw call", "/v1/proxy/anything"],
])("a vendor hears of %s what a header of its own says with the prefix, whoever names it", async (_, path) => {
  const gateway = await start();
  const json = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi" }] };
  for (const headers of [byConfig, byHeader]) {
    expect((await gateway.fetch(path, { json, headers: { ...headers, ...prefixed } })).status).toBe(200);
    await gateway.fetch(path, { json, headers: { ...headers, ...prefixed, ...plain } });
  }
  const sent = gateway.upstreams.VENDOR.calls.map(({ headers }) => headers);
  const said = { "anthropic-beta": "a,b", "anthropic-version": "2024-01-01", "x-api-key": "vendor-key-0123456789" };
  expect(sent).toMatchObject([said, plain, said, plain]);
});

it.each(["/v1/chat/completions", "/v1/proxy/anything"])(
  "nothing else of the gateway's is said to a vendor: %s",
  async (path) => {
    const key = "key-of-the-gateway-0123456789";
    const gateway = await startGateway({
      config: {
        server: { headers: { ignored: ["x-own-plan"] } },
        plugins: {
          "auth-keys": { keys: [{ name: "me", key }] },
          routing: {},
          retry: {},
          proxy: {},
          "format-openai-chat": {},
        },
        providers: { own: { baseUrl: "${VENDOR}", forwardHeaders: ["api-key", "metadata"] } },
      },
      providers: [
        defineProvider({
          name: "own",
          summary: "Forwards credentials.",
          anonymous: true,
          forwards: ["x-api-key", "api-key", "x-own-team", "x-own-plan"],
          operations: { chat: "openai-chat" },
        }),
      ],
      upstreams: { VENDOR: { json: { id: "c", object: "chat.completion", created: 1, model: "m", choices: [] } } },
    });
    onTestFinished(gateway.close);
    const headers = {
      "x-gateway-api-key": key,
      "x-gateway-x-api-key": "theirs",
      "x-gateway-metadata": '{"team":"a"}',
      "x-gateway-x-own-team": "a",
      ...(path.includes("proxy") && { "x-gateway-x-own-plan": "b" }),
      "x-gateway-provider": "@own",
    };
    await gateway.fetch(path, { json: { model: "m", messages: [{ role: "user", content: "Hi" }] }, headers });
    const [sent] = gateway.upstreams.VENDOR.calls;
    expect(sent?.headers).toMatchObject({ "x-own-team": "a" });
    for (const name of ["api-key", "x-api-key", "metadata", "x-own-plan"])
      expect(sent?.headers).not.toHaveProperty(name);
  },
);

it("Claude at Databricks hears what a routing config says for its maker's clients, and theirs before that", async () => {
  const gateway = await startGateway({
    config: {
      plugins: { "auth-open": {}, routing: {}, "format-anthropic-messages": {} },
      providers: { databricks: { apiKey: "vendor-key-0123456789", workspace: "w", baseUrl: "${VENDOR}" } },
    },
    upstreams: { VENDOR: { json: answer } },
  });
  onTestFinished(gateway.close);
  const config = { provider: "@databricks", anthropic_beta: "b", anthropic_version: "2024-01-01" };
  const json = { model: "databricks-claude", max_tokens: 9, messages: [{ role: "user", content: "Hi" }] };
  const told = { "x-gateway-config": JSON.stringify(config) };
  for (const headers of [told, { ...told, "anthropic-beta": "own" }])
    expect((await gateway.fetch("/v1/messages", { json, headers })).status).toBe(200);
  expect(gateway.upstreams.VENDOR.calls.map(({ headers }) => headers["anthropic-beta"])).toEqual(["b", "own"]);
  expect(gateway.upstreams.VENDOR.calls[0]?.headers["anthropic-version"]).toBe("2024-01-01");
});
