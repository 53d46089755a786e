import { expect, it, onTestFinished } from "vitest";
import { startGateway, type UpstreamAnswers } from "../../core/test-kit/index.ts";

/** What a client of the Messages API hears of a vendor that refuses a prompt as too long. */
async function told(provider: string, answer: UpstreamAnswers, stream: boolean) {
  const gateway = await startGateway({
    config: {
      plugins: {
        "auth-open": {},
        routing: { default: provider },
        "format-anthropic-messages": {},
        "format-openai-chat": {},
        "format-openai-responses": {},
      },
      providers: { [provider]: { baseUrl: "${VENDOR}", apiKey: "key-0123456789" } },
    },
    upstreams: { VENDOR: answer },
  });
  onTestFinished(gateway.close);
  const response = await fetch(`${gateway.url}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", max_tokens: 9, stream, messages: [{ role: "user", content: "Hi" }] }),
  });
  const { error } = (await response.json()) as { error: { message: string } };
  return [response.status, error.message];
}

const message = "This model's maximum context length is 128000 tokens. However, you requested 131211 tokens.";
const refusal = { status: 400, json: { error: { message, type: "invalid_request_error", code: null } } };

it.each([false, true])("Claude Code hears of any vendor that a prompt is too long, streamed: %j", async (stream) => {
  const words = `deepseek error: ${message} (prompt is too long: 131211 tokens > 128000 maximum)`;
  expect(await told("deepseek", refusal, stream)).toEqual([400, words]);
});

it("a stream that fails for that is a request at fault, which is not tried again", async () => {
  const error = { code: "context_length_exceeded", message: "Your input exceeds the context window of this model." };
  const response = { id: "r", object: "response", model: "m", output: [] };
  const events = [
    { type: "response.created", response: { ...response, status: "in_progress" } },
    { type: "response.failed", response: { ...response, status: "failed", error } },
  ];
  const words = `perplexity-ai error: ${error.message} (prompt is too long)`;
  expect(await told("perplexity-ai", { events }, true)).toEqual([400, words]);
});
