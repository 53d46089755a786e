import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { startRawUpstream } from "../support/raw-upstream.ts";

const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const chat = (charge: object) => ({
  id: "gen-1",
  object: "chat.completion",
  model: "acme/large",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
  usage: { ...counts, ...charge },
});
const response = (charge: object) => ({
  id: "resp_1",
  object: "response",
  model: "acme/large",
  status: "completed",
  output: [{ type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Hi." }] }],
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15, ...charge },
});
const said = { cost: 0.00014 };
/** As the cost page of xAI has it. */
const ticks = { cost_in_usd_ticks: 1_400_000 };
/** As the answers of DeepInfra have it. */
const estimated = { estimated_cost: 0.00014 };
/** As Perplexity's SDK declares it. */
const parts = {
  cost: { currency: "USD", input_cost: 0.00001, output_cost: 0.00001, tool_calls_cost: 0.00012, total_cost: 0.00014 },
};

it.each([
  ["openrouter", said, "", "0.00014"],
  ["openrouter", said, "openrouter/acme/large: { input: 2, output: 4 }", "0.00004"],
  ["x-ai", ticks, "", "0.00014"],
  ["perplexity-ai", parts, "", "0.00014"],
  ["deepinfra", estimated, "", "0.00014"],
  ["groq", said, "", "unknown"],
  ["groq", ticks, "", "unknown"],
])(
  "what %s says it charged (%j) is what a request cost, but for prices of one's own: {%s}",
  async (slug, charge, own, cost) => {
    const vendor = await startRawUpstream(({ url }, reply) => {
      const answer = url?.endsWith("/responses") ? response(charge) : chat(charge);
      reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    const { url } = await startTestGateway(`
plugins:
  auth-open: {}
  routing: { default: ${slug} }
  format-openai-chat: {}
  format-openai-responses: {}
  format-anthropic-messages: {}
  pricing: { models: { ${own} } }
providers:
  ${slug}: { baseUrl: "${vendor}", apiKey: key-0123456789 }
`);
    const ask = async (path: string) => {
      const body = { model: "acme/large", max_tokens: 9, messages: [{ role: "user", content: "Hi" }] };
      const headers = { "content-type": "application/json", "x-gateway-debug": "true" };
      const answered = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
      await answered.text();
      return answered.headers.get("x-gateway-cost");
    };
    expect([await ask("/v1/chat/completions"), await ask("/v1/messages")]).toEqual([cost, cost]);
  },
);
