import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { startUpstream } from "../support/upstream.ts";

const configFor = (vendor: string) => `
server: { headers: { aliases: [x-other-] } }
plugins:
  auth-open: {}
  routing: { default: vendor }
  format-openai-chat: {}
  format-anthropic-messages: {}
  proxy: {}
providers:
  vendor: { use: openai, apiKey: key-of-the-vendor-0123, baseUrl: ${vendor} }
`;

/** What a gateway behind this one says of itself. */
const ofTheOther = {
  "x-gateway-cache-status": "HIT",
  "x-gateway-gateway-exception": "true",
  "x-gateway-trace-id": "of-the-other",
  "x-gateway-last-used-option-index": "config.targets[3]",
  "x-gateway-of-its-own": "1",
  "x-other-cache-status": "HIT",
  "x-request-id": "req_1",
};

const completion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
};
const chunk = { ...completion, object: "chat.completion.chunk" };
const frames = [
  { ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: "Hi" } }] },
  { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
];

async function start() {
  const upstream = await startUpstream(({ body }, response) => {
    const { stream, model } = JSON.parse(body.toString()) as { stream?: boolean; model: string };
    const status = model === "refused" ? 503 : 200;
    const headers = { ...ofTheOther, connection: "keep-alive, X-This-Connection", "x-this-connection": "1" };
    response.writeHead(status, { ...headers, "content-type": stream ? "text/event-stream" : "application/json" });
    if (status !== 200) response.end(JSON.stringify({ error: { message: "no", type: "server_error" } }));
    else if (stream)
      response.end(`${frames.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")}data: [DONE]\n\n`);
    else response.end(JSON.stringify(completion));
  });
  return startTestGateway(configFor(upstream.url));
}

describe("an upstream that is a gateway itself", () => {
  it.each([
    ["a whole answer", "/v1/chat/completions", {}, 200],
    ["a stream", "/v1/chat/completions", { stream: true }, 200],
    ["a translated answer", "/v1/messages", {}, 200],
    ["a translated stream", "/v1/messages", { stream: true }, 200],
    ["a refusal", "/v1/chat/completions", { model: "refused" }, 503],
    ["a raw answer", "/v1/proxy/chat/completions", {}, 200],
  ])("does not speak for this one: %s", async (_, path, more, status) => {
    const gateway = await start();
    const body = { model: "m", max_tokens: 5, messages: [{ role: "user", content: "Hello?" }], ...more };
    const answered = await fetch(gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-gateway-provider": "@vendor" },
      body: JSON.stringify(body),
    });
    await answered.text();
    const told = Object.fromEntries(answered.headers);
    expect(answered.status).toBe(status);
    expect(told).toMatchObject({
      "x-gateway-cache-status": "DISABLED",
      "x-gateway-last-used-option-index": "config",
      "x-gateway-retry-attempt-count": "0",
      "x-request-id": "req_1",
    });
    expect(told["x-gateway-trace-id"]).not.toBe("of-the-other");
    for (const name of ["x-gateway-gateway-exception", "x-gateway-of-its-own", "x-other-cache-status"])
      expect(told, name).not.toHaveProperty(name);
    expect(told).not.toHaveProperty("x-this-connection");
  });
});
