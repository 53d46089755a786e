import { request } from "undici";
import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";

const config = JSON.stringify({
  plugins: {
    "auth-open": {},
    routing: { default: "simulator" },
    "format-openai-chat": {},
    "format-openai-embeddings": {},
  },
  providers: { simulator: {} },
});

async function statusOf(method: string, path: string): Promise<number> {
  const { url } = await startTestGateway(config);
  const body = JSON.stringify({ model: "demo", messages: [{ role: "user", content: "Hello" }], input: "Hello" });
  const { statusCode, body: answer } = await request(`${new URL(url).origin}${path}`, {
    method: method as "POST",
    headers: { "content-type": "application/json" },
    body: method === "POST" ? body : null,
  });
  await answer.dump();
  return statusCode;
}

it.each([
  ["POST", "/v1/chat/completions", 200],
  ["POST", "/v1/chat/completions?pretty", 200],
  ["POST", "/v1/chat/completions?x=1", 200],
  ["POST", "/v1/chat/completions/", 200],
  ["POST", "/v1/v1/chat/completions", 200],
  ["POST", "/openai/v1/chat/completions", 200],
  ["POST", "/openai/v1/embeddings", 200],
  ["POST", "/openai/chat/completions", 200],
  ["POST", "/v1/chat/%63ompletions", 200],
  ["POST", "/v1/Chat/completions", 404],
  ["GET", "/v1/chat/completions", 404],
  ["PUT", "/v1/chat/completions", 404],
])("%s %s is answered with %i", async (method, path, status) => {
  expect(await statusOf(method, path)).toBe(status);
});
