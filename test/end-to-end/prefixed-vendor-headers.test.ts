import { expect, it, onTestFinished } from "vitest";
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
