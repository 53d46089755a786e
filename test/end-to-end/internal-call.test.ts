import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { eventually } from "../support/calm.ts";
import { startTestGateway } from "../support/gateway.ts";
import { root } from "../support/root.ts";
import { json, startUpstream } from "../support/upstream.ts";

/** A plugin that asks a model about every request before it lets it pass. */
const judge = `
import { definePlugin, GatewayError, z } from "${join(root, "core/index.ts")}";

export default definePlugin({
  name: "judge",
  summary: "Asks a model first.",
  options: z.strictObject({ provider: z.string() }),
  setup({ hooks, call }, { provider }) {
    hooks.beforeRequest.tapPromise("judge", async (request, exchange) => {
      if (exchange.role === "internal") return request;
      const messages = [{ role: "user", content: [{ type: "text", text: "Is this fine?" }] }];
      const body = { model: "judge-1", messages, stream: false };
      const { response, usage } = await call({ provider, operation: "chat", body, exchange });
      const verdict = response.choices[0].content[0].text;
      if (verdict !== "yes") throw new GatewayError("invalid_request", "The judge says: " + verdict + ", " + usage.outputTokens);
      return request;
    });
  },
});
`;

const completion = (content: string) => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
});

async function start(verdict: string, status = 200, provider = "court") {
  const upstream = await startUpstream(({ url }, response) =>
    url.startsWith("/court") ? json(response, status, completion(verdict)) : json(response, 200, completion("Hi")),
  );
  const folder = temporaryFolder({ "judge.ts": judge });
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: { default: "main" },
        "format-openai-chat": {},
        judge: { use: "./judge.ts", provider },
        "access-log": {},
      },
      providers: {
        main: { use: "openai", apiKey: "main-key-0123", baseUrl: `${upstream.url}/main` },
        court: { use: "openai", apiKey: "court-key-0123", baseUrl: `${upstream.url}/court` },
      },
    }),
    {},
    folder,
  );
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }] }),
  });
  return { status: response.status, text: await response.text(), upstream, gateway };
}

it("asks a provider along the gateway's own road", async () => {
  const { status, upstream, gateway } = await start("yes");
  expect(status).toBe(200);
  expect(upstream.received.map(({ url }) => url)).toEqual(["/court/chat/completions", "/main/chat/completions"]);
  expect(upstream.received[0]?.headers.authorization).toBe("Bearer court-key-0123");
  expect(JSON.parse(String(upstream.received[0]?.body))).toMatchObject({ model: "judge-1" });
  await eventually(() =>
    expect(gateway.log.lines.filter(({ message }) => message === "request").map(({ fields }) => fields)).toMatchObject([
      { role: "internal", provider: "court", status: 200, usage: { outputTokens: 2 } },
      { provider: "main", status: 200 },
    ]),
  );
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
  expect(answered.upstream.received.some(({ url }) => url.startsWith("/main"))).toBe(false);
});
