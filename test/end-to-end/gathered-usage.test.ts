import { expect, it, onTestFinished } from "vitest";
import { bearer, defineProvider } from "../../core/provider-kit/index.ts";
import { startGateway } from "../../core/test-kit/index.ts";

const acme = defineProvider({
  name: "acme",
  summary: "Answers in streams only.",
  baseUrl: "https://api.acme.example/v1",
  authenticate: ({ apiKey }) => apiKey && bearer(apiKey),
  operations: { chat: { format: "anthropic-messages", path: "/messages", streamsOnly: () => true } },
});

const usage = { input_tokens: 70, cache_read_input_tokens: 5, output_tokens: 3 };
const begun = [
  { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [], usage } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } },
];
const refused = { type: "error", error: { type: "overloaded_error", message: "no" } };

/** What is told of a stream that somebody waits for as a whole, where it fails. */
it.each([
  ["an error in it", { events: [...begun, refused] }],
  ["its end before that of the answer", { events: begun }],
  ["a connection that is cut", { events: begun, cut: true }],
])("a stream that is put together has used what it said before %s", async (_, answer) => {
  const gateway = await startGateway({
    config: {
      plugins: {
        "auth-open": {},
        routing: { default: "acme" },
        "format-openai-chat": {},
        "format-anthropic-messages": {},
      },
      providers: { acme: { apiKey: "acme-key-0123456789", baseUrl: "${VENDOR}/v1" } },
    },
    providers: [acme],
    upstreams: { VENDOR: answer },
  });
  onTestFinished(() => gateway.close());
  const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi" }] };
  expect((await gateway.fetch("/v1/chat/completions", { json: body })).status).toBeGreaterThanOrEqual(500);
  expect((await gateway.exchange()).usage).toMatchObject({ inputTokens: 70, cacheReadTokens: 5, outputTokens: 3 });
});
