import { expect, it, onTestFinished } from "vitest";
import { definePlugin, GatewayError, z } from "../../core/index.ts";
import { startGateway } from "../../core/test-kit/index.ts";

/** A plugin that asks a model about every request before it lets it pass. */
const judge = definePlugin({
  name: "judge",
  summary: "Asks a model first.",
  options: z.strictObject({ provider: z.string() }),
  setup({ hooks, call }, { provider }) {
    hooks.beforeRequest.tapPromise("judge", async (request, exchange) => {
      if (exchange.role === "internal") return request;
      const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "Is this fine?" }] }];
      const body = { model: "judge-1", messages, stream: false };
      const { response, usage } = await call({ provider, operation: "chat", body, exchange });
      const [said] = response.choices[0]?.content ?? [];
      const verdict = said?.type === "text" ? said.text : "nothing";
      if (verdict !== "yes")
        throw new GatewayError("invalid_request", `The judge says: ${verdict}, ${usage?.outputTokens}`);
      return request;
    });
  },
});

const completion = (content: string) => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
});

async function start(verdict: string, status = 200, provider = "court") {
  const gateway = await startGateway({
    plugins: [judge],
    config: {
      plugins: {
        "auth-open": {},
        routing: { default: "main" },
        "format-openai-chat": {},
        judge: { provider },
      },
      providers: {
        main: { use: "openai", apiKey: "main-key-0123", baseUrl: "${MAIN}" },
        court: { use: "openai", apiKey: "court-key-0123", baseUrl: "${COURT}" },
      },
    },
    upstreams: { MAIN: { json: completion("Hi") }, COURT: { status, json: completion(verdict) } },
  });
  onTestFinished(gateway.close);
  const messages = [{ role: "user", content: "Hello" }];
  const response = await gateway.fetch("/v1/chat/completions", { json: { model: "m", messages } });
  return { status: response.status, text: await response.text(), gateway };
}

it("asks a provider along the gateway's own road", async () => {
  const { status, gateway } = await start("yes");
  expect(status).toBe(200);
  const { MAIN, COURT } = gateway.upstreams;
  expect(COURT.calls).toMatchObject([
    { url: "/chat/completions", headers: { authorization: "Bearer court-key-0123" }, json: { model: "judge-1" } },
  ]);
  expect(MAIN.calls).toHaveLength(1);
  expect(await gateway.settled()).toMatchObject([
    { role: "internal", attempt: { target: { provider: { slug: "court" } } }, status: 200, usage: { outputTokens: 2 } },
    { attempt: { target: { provider: { slug: "main" } } }, status: 200 },
  ]);
});

it("gives the plugin the answer", async () => {
  expect(await start("no")).toMatchObject({ status: 400, text: expect.stringContaining("The judge says: no, 2") });
});

it.each([
  ["a provider that fails", 503, "court"],
  ["a provider nobody has", 200, "nobody"],
])("gives the plugin an error for %s", async (_, status, provider) => {
  const answered = await start("yes", status, provider);
  expect(answered.status).toBeGreaterThanOrEqual(400);
  expect(answered.gateway.upstreams.MAIN.calls).toEqual([]);
});
