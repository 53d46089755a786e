import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { call } from "../support/raw-call.ts";
import { json, startUpstream } from "../support/upstream.ts";

const stops = ["a", "b", "c", "d", "e", "f"];
const messages = [{ role: "user", content: "Hi" }];
const asAnthropic = { path: "/v1/messages", body: { max_tokens: 9, messages, stop_sequences: stops } };
const asOpenAi = { path: "/v1/chat/completions", body: { messages, stop: stops } };

async function start() {
  const upstream = await startUpstream((_, response) => json(response, 503, { error: { message: "busy" } }));
  const vendors = ["openai", "azure-openai", "groq", "google", "cohere", "mistral-ai"];
  const more = { "azure-openai": { deploymentId: "d", resourceName: "r", apiVersion: "2024-10-21" } };
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: {},
        "format-openai-chat": {},
        "format-openai-completions": {},
        "format-openai-embeddings": {},
        "format-openai-responses": {},
        "format-anthropic-messages": {},
        "format-gemini": {},
        "format-cohere-chat": {},
      },
      providers: Object.fromEntries(
        vendors.map((name) => [
          name,
          { apiKey: "key-012345678", baseUrl: upstream.url, ...more[name as keyof typeof more] },
        ]),
      ),
    }),
  );
  return async (vendor: string, { path, body }: typeof asAnthropic | typeof asOpenAi, headers = {}) => {
    const before = upstream.received.length;
    const asked = JSON.stringify({ model: `${vendor}/m`, ...body });
    const answer = await call(
      `${gateway.url}${path}`,
      { method: "POST", headers: { ...headers, "x-gateway-provider": "" } },
      asked,
    );
    const received = upstream.received[before];
    const sent = received && JSON.parse(`${received.body}`);
    return {
      status: answer.status,
      lost: answer.headers["x-gateway-dropped-params"],
      sent: sent?.stop ?? sent?.stop_sequences ?? sent?.generationConfig?.stopSequences,
    };
  };
}

it.each([
  ["openai", asAnthropic, 4],
  ["azure-openai", asAnthropic, 4],
  ["groq", asAnthropic, 4],
  ["google", asAnthropic, 5],
  ["google", asOpenAi, 5],
  ["cohere", asOpenAi, 5],
] as const)(
  "%s is sent as many stop sequences as it takes, and the client told of the rest",
  async (vendor, asked, most) => {
    const ask = await start();
    expect(await ask(vendor, asked)).toMatchObject({ lost: "stop", sent: stops.slice(0, most) });
  },
);

it("refuses what would be left out where nothing may be", async () => {
  const ask = await start();
  expect(await ask("openai", asAnthropic, { "x-gateway-strict-params": "true" })).toMatchObject({ status: 400 });
});

it("sends all of them where the vendor has no bound, or is asked in its own format", async () => {
  const ask = await start();
  expect(await ask("mistral-ai", asAnthropic)).toMatchObject({ lost: undefined, sent: stops });
  expect(await ask("openai", asOpenAi)).toMatchObject({ lost: undefined, sent: stops });
});
