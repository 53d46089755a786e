import { beforeEach, describe, expect, it } from "vitest";
import { configFor, gatewayKey, secrets } from "../support/deployment.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { startUpstream, type TestUpstream } from "../support/upstream.ts";

const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi.", annotations: [] }] };
const response = { id: "resp_1", object: "response", status: "completed", model: "m", output: [said] };
const chat = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
};
const streamed = [
  { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
  { type: "response.output_item.added", output_index: 0, item: { ...said, id: "m_1", content: [] } },
  { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "m_1", delta: "Hi." },
  { type: "response.output_item.done", output_index: 0, item: { ...said, id: "m_1" } },
  { type: "response.completed", response },
];

const word = { "x-gateway-beta": "other, use-responses-api-2026-07-30" };
const others = `
  azure-openai: { apiKey: "\${VENDOR_KEY}", baseUrl: HERE/openai, deployments: [{ deployment_id: writer, model: gpt-5-codex }] }
  azure-ai: { apiKey: "\${VENDOR_KEY}", baseUrl: HERE/models }
  proxying: { use: azure-ai, apiKey: "\${VENDOR_KEY}", baseUrl: HERE/models, responsesProxy: true }
`;
const messages = { max_tokens: 100, messages: [{ role: "user", content: "Hi" }] };

describe("clients of the Messages API that ask OpenAI", () => {
  let gateway: TestGateway;
  let upstream: TestUpstream;
  beforeEach(async () => {
    upstream = await startUpstream(({ url, body }, reply) => {
      const streams = JSON.parse(`${body}`).stream === true;
      reply.writeHead(200, { "content-type": streams ? "text/event-stream" : "application/json" });
      if (streams)
        for (const event of streamed) reply.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      reply.end(streams ? "" : JSON.stringify(url.endsWith("/responses") ? response : chat));
    });
    gateway = await startTestGateway(configFor(upstream.url) + others.replaceAll("HERE", upstream.url), secrets);
  });

  const ask = async (path: string, body: object, headers: object = {}) => {
    const reply = await fetch(gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${gatewayKey}`, ...headers },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    expect([reply.status, text]).toEqual([200, expect.stringContaining("Hi.")]);
    return { text, path: upstream.received.at(-1)?.url.replace(/^.*(?=\/(?:chat|responses))/, "") };
  };

  it.each<[string, string, object, string]>([
    ["a model of both APIs is asked by chat", "openai/gpt-5", {}, "/chat/completions"],
    ["it is asked by the Responses API where the client says so", "openai/gpt-5", word, "/responses"],
    ["a model of the Responses API is asked by that", "openai/gpt-5.1-codex-max", {}, "/responses"],
    ["a model of both APIs is asked by chat, of Azure", "azure-openai/gpt-5", {}, "/chat/completions"],
    ["Azure is asked by the Responses API where the client says so", "azure-openai/gpt-5", word, "/responses"],
    ["a model of the Responses API is asked by that, of Azure", "azure-openai/gpt-5-codex", {}, "/responses"],
    ["a model of both APIs is asked by chat, of Foundry", "azure-ai/gpt-5", {}, "/chat/completions"],
    ["what Foundry was not set to serve is not asked for", "azure-ai/gpt-5", word, "/chat/completions"],
    ["Foundry is asked by the Responses API where the client says so", "proxying/gpt-5", word, "/responses"],
    ["nobody who does not say so gets Foundry asked by it", "proxying/gpt-5", {}, "/chat/completions"],
    ["a model of the Responses API is asked by that, of Foundry", "azure-ai/gpt-5-codex", {}, "/responses"],
    ["Claude is asked in its own format, whatever is said", "anthropic/claude-sonnet-4-5", word, ""],
  ])("%s", async (_, model, headers, path) => {
    if (path === "") return expect((await askClaude(model, headers)).endsWith("/messages")).toBe(true);
    expect((await ask("/v1/messages", { model, ...messages }, headers)).path).toBe(path);
  });

  const askClaude = async (model: string, headers: object) => {
    await fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${gatewayKey}`, ...headers },
      body: JSON.stringify({ model, ...messages }),
    });
    return upstream.received.at(-1)?.url ?? "";
  };

  it.each<[string, object]>([
    ["openai/gpt-5-codex", {}],
    ["openai/gpt-5", word],
    ["azure-openai/gpt-5-codex", {}],
    ["azure-ai/gpt-5-codex", {}],
    ["proxying/gpt-5", word],
  ])("get streams of the Responses API as streams of their own: %s, %j", async (model, headers) => {
    const { text, path } = await ask("/v1/messages", { model, stream: true, ...messages }, headers);
    expect(path).toBe("/responses");
    expect(text).toContain('"text_delta","text":"Hi."');
    expect(text.trimEnd().endsWith('data: {"type":"message_stop"}')).toBe(true);
  });

  it("are the only ones who may say so: clients of the chat API are answered by it", async () => {
    const asked = { model: "openai/gpt-5", messages: messages.messages };
    expect((await ask("/v1/chat/completions", asked, word)).path).toBe("/chat/completions");
  });

  const parameters = { type: "object", properties: {} };
  const chatTools = { tools: [{ type: "function", function: { name: "look", parameters } }] };
  const ownTools = { tools: [{ name: "look", input_schema: parameters }] };
  const hard = { output_config: { effort: "high" } };
  it.each<[string, string, object, string]>([
    ["no tools", "gpt-5.6-terra", {}, "/chat/completions"],
    ["tools of a model that reasons anyway", "gpt-5.6-terra", ownTools, "/responses"],
    ["tools of a model that reasons when asked to", "gpt-5.4", ownTools, "/chat/completions"],
    ["tools and reasoning", "gpt-5.4", { ...ownTools, ...hard }, "/responses"],
    ["reasoning alone", "gpt-5.4", hard, "/chat/completions"],
  ])("ask for what chat completions refuse by the Responses API: %s", async (_, model, more, path) => {
    for (const vendor of ["openai", "azure-openai", "azure-ai"])
      expect((await ask("/v1/messages", { model: `${vendor}/${model}`, ...messages, ...more })).path).toBe(path);
  });

  it.each<[string, string, object, string]>([
    ["a model that is not there", "gpt-5-codex", {}, "/responses"],
    ["tools of a model that reasons anyway", "gpt-5.6", chatTools, "/responses"],
    ["tools of one that is told not to", "gpt-5.6", { ...chatTools, reasoning_effort: "none" }, "/chat/completions"],
    ["tools and reasoning", "gpt-5.5", { ...chatTools, reasoning_effort: "low" }, "/responses"],
    ["tools without", "gpt-5.5", chatTools, "/chat/completions"],
  ])("and so do clients of chat completions: %s", async (_, model, more, path) => {
    const asked = { model: `openai/${model}`, messages: messages.messages, ...more };
    for (const stream of [false, true])
      if (!stream || path === "/responses")
        expect((await ask("/v1/chat/completions", { ...asked, stream })).path).toBe(path);
  });
});

describe("a response that says that it failed", () => {
  it.each([
    ["rate_limit_exceeded", 429],
    ["invalid_prompt", 400],
    ["server_error", 502],
  ])("is the error it tells of, for clients of other formats: %s", async (code, status) => {
    const error = { code, message: "Not this time." };
    const upstream = await startUpstream((_, reply) => {
      reply.writeHead(200, { "content-type": "application/json" });
      reply.end(JSON.stringify({ ...response, status: "failed", error, output: [] }));
    });
    const gateway = await startTestGateway(configFor(upstream.url), secrets);
    const reply = await fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${gatewayKey}` },
      body: JSON.stringify({ model: "openai/gpt-5.1-codex-max", ...messages }),
    });
    expect([reply.status, await reply.json()]).toMatchObject([
      status,
      { type: "error", error: { message: "openai error: Not this time.", code } },
    ]);
  });
});
