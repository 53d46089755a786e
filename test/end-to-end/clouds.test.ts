import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { call } from "../support/raw-call.ts";
import { json, type Received, startUpstream } from "../support/upstream.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const account = JSON.stringify({
  type: "service_account",
  project_id: "p2",
  private_key_id: "key-1",
  private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  client_email: "gateway@p2.iam.gserviceaccount.com",
});
const clientSecret = "client-secret-0123456789";

const configFor = (vendor: string) => `
server: { trustedHosts: [127.0.0.1] }
plugins:
  auth-open: {}
  routing:
    configs:
      bills:
        provider: "@azure"
        deployments: [{ deployment_id: d-bills, alias: bills, api_version: 2024-10-21 }, { deployment_id: d-rest, is_default: true }]
  format-openai-chat: {}
  format-openai-responses: {}
  format-openai-embeddings: {}
  format-anthropic-messages: {}
  format-gemini: {}
  proxy: {}
providers:
  vertex:
    use: vertex-ai
    region: us-central1
    baseUrl: ${vendor}/vertex
    tokenUrl: ${vendor}/google/token
    serviceAccountJson: "\${SERVICE_ACCOUNT}"
  azure:
    use: azure-openai
    baseUrl: ${vendor}/azure/openai
    resourceName: r1
    apiVersion: v1
    authMode: entra
    entraTenantId: tenant-1
    entraClientId: client-1
    entraClientSecret: "\${CLIENT_SECRET}"
    authorityHost: ${vendor}/entra
  foundry: { use: azure-ai, baseUrl: "${vendor}/anthropic", apiKey: foundry-key-0123456789 }
  machine:
    use: azure-openai
    resourceName: r2
    authMode: managed
    identityEndpoint: ${vendor}/identity
`;

const sse = (...events: readonly (object | string)[]) =>
  events.map((one) => (typeof one === "string" ? one : `data: ${JSON.stringify(one)}\n\n`)).join("");

const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 };
const candidate = (text: string, finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...(finishReason && { finishReason }) }],
  ...(finishReason && { usageMetadata }),
});

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
};
const messageStream = [
  { type: "message_start", message: { ...message, content: [], stop_reason: null } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

const completion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-4o-2024-11-20",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  prompt_filter_results: [{ prompt_index: 0 }],
};

/** What the vendors answer, by the end of the path. */
const answers: readonly (readonly [RegExp, object | string])[] = [
  [/\/google\/token$/, { access_token: "google-token-0123456789", expires_in: 3600 }],
  [/\/oauth2\/v2\.0\/token$/, { access_token: "entra-token-0123456789", expires_in: 3600 }],
  [/:generateContent$/, candidate("Hi", "STOP")],
  [/:streamGenerateContent/, sse(candidate("H"), candidate("i", "STOP"))],
  [/:rawPredict$/, message],
  [/\/v1\/messages$/, message],
  [/:streamRawPredict$/, sse('event: vertex_event\ndata: {"type":"vertex_event"}\n\n', ...messageStream)],
  [/:predict$/, { predictions: [{ embeddings: { values: [0.5], statistics: { token_count: 2 } } }] }],
  [/chat\/completions/, completion],
];

const refusal = [{ error: { code: 404, message: "no model for google-token-0123456789", status: "NOT_FOUND" } }];

async function start() {
  const upstream = await startUpstream(({ url }, response) => {
    if (url.includes("absent")) return json(response, 404, refusal);
    const [, answer] = answers.find(([path]) => path.test(url)) ?? [];
    if (typeof answer !== "string") return json(response, answer ? 200 : 418, answer ?? {});
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(answer);
  });
  const gateway = await startTestGateway(configFor(upstream.url), {
    SERVICE_ACCOUNT: account,
    CLIENT_SECRET: clientSecret,
  });
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const sent = { "content-type": "application/json", "x-gateway-provider": "", authorization: "", ...headers };
    const options = { method: "POST", headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value)) };
    const answered = await fetch(gateway.url + path, { ...options, body: JSON.stringify(body) });
    return { status: answered.status, text: await answered.text(), headers: answered.headers };
  };
  return { upstream, gateway, post };
}

const messages = [{ role: "user", content: "How are you?" }];
const bodyOf = (received: Received | undefined) => JSON.parse(received?.body.toString() ?? "null");
const vertexPath = "/vertex/v1/projects/p2/locations/us-central1";

describe("vertex-ai", () => {
  it("fetches nothing at the start, and one token for all calls", async () => {
    const { upstream, post } = await start();
    expect(upstream.received).toEqual([]);
    const model = "vertex/gemini-2.5-pro";
    const both = await Promise.all([0, 1].map(() => post("/v1/chat/completions", { model, messages })));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const [token, ...calls] = upstream.received;
    expect(token?.url).toBe("/google/token");
    expect(calls.map(({ url }) => url)).toEqual(
      Array(2).fill(`${vertexPath}/publishers/google/models/gemini-2.5-pro:generateContent`),
    );
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill("Bearer google-token-0123456789"));
    expect(JSON.parse(both[0]?.text ?? "")).toMatchObject({
      choices: [{ message: { content: "Hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    });
    expect(both[0]?.headers.get("x-gateway-provider")).toBe("vertex-ai");
  });

  it("streams Gemini to clients of every format", async () => {
    const { upstream, post } = await start();
    const model = "vertex/gemini-2.5-pro";
    const chat = await post("/v1/chat/completions", { model, messages, stream: true });
    expect(chat.text).toContain('"content":"H"');
    expect(chat.text).toMatch(/data: \[DONE\]\n\n$/);
    const claude = await post("/v1/messages", { model, messages, max_tokens: 5, stream: true });
    expect(claude.text).toContain("event: message_stop");
    const contents = [{ role: "user", parts: [{ text: "How are you?" }] }];
    const own = await post(`/v1beta/models/${model}:streamGenerateContent?alt=sse`, { contents });
    expect(own.text).toBe(answers.find(([path]) => path.test(":streamGenerateContent"))?.[1]);
    expect(new Set(upstream.received.slice(1).map(({ url }) => url))).toEqual(
      new Set([`${vertexPath}/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse`]),
    );
    expect(bodyOf(upstream.received.at(-1))).toEqual({ contents });
  });

  it("asks Claude in its own format, with the version in the body and fewer betas", async () => {
    const { upstream, post } = await start();
    const model = "vertex/anthropic.claude-sonnet-4@20250514";
    const body = { model, messages, max_tokens: 5, output_config: { effort: "low" } };
    const beta = { "anthropic-beta": "files-api-2025-04-14,context-1m-2025-08-07" };
    const whole = await post("/v1/messages", body, beta);
    expect(JSON.parse(whole.text)).toEqual(message);
    expect(whole.headers.get("x-gateway-dropped-params")).toBe("output_config");
    const [, asked] = upstream.received;
    expect(asked?.url).toBe(`${vertexPath}/publishers/anthropic/models/claude-sonnet-4@20250514:rawPredict`);
    expect(asked?.headers["anthropic-beta"]).toBe("context-1m-2025-08-07");
    expect(bodyOf(asked)).toEqual({ messages, max_tokens: 5, anthropic_version: "vertex-2023-10-16" });

    const chat = await post("/v1/chat/completions", { model, messages, stream: true });
    expect(chat.text).toContain('"content":"Hi"');
    expect(chat.text).toMatch(/data: \[DONE\]\n\n$/);
    expect(upstream.received.at(-1)?.url).toMatch(/:streamRawPredict$/);
    expect(bodyOf(upstream.received.at(-1))).toMatchObject({ stream: true });
  });

  it.each([
    [
      "meta.llama-4",
      "/vertex/v1beta1/projects/p2/locations/us-central1/endpoints/openapi/chat/completions",
      "meta/llama-4",
    ],
    ["endpoints.123", `${vertexPath}/endpoints/123/chat/completions`, undefined],
  ])("asks %s in OpenAI's format", async (model, path, named) => {
    const { upstream, post } = await start();
    const { status } = await post("/v1/chat/completions", { model: `vertex/${model}`, messages, max_tokens: 9 });
    expect(status).toBe(200);
    expect(upstream.received.at(-1)?.url).toBe(path);
    expect(bodyOf(upstream.received.at(-1))).toEqual({ ...(named && { model: named }), messages, max_tokens: 9 });
  });

  it("embeds by prediction", async () => {
    const { upstream, post } = await start();
    const { text } = await post("/v1/embeddings", { model: "vertex/text-embedding-005", input: ["a"], dimensions: 1 });
    expect(bodyOf(upstream.received.at(-1))).toEqual({
      instances: [{ content: "a" }],
      parameters: { outputDimensionality: 1 },
    });
    expect(JSON.parse(text)).toMatchObject({
      data: [{ embedding: [0.5], index: 0 }],
      usage: { prompt_tokens: 2, total_tokens: 2 },
    });
  });

  it("tells its errors, also those in a list, and never the token in them", async () => {
    const { post } = await start();
    const { status, text } = await post("/v1/chat/completions", { model: "vertex/absent", messages });
    expect(status).toBe(404);
    const { error } = JSON.parse(text);
    expect(error).toMatchObject({ type: "NOT_FOUND", param: null, code: "404" });
    expect(error.message).toMatch(/^vertex-ai error: no model for /);
    expect(text).not.toContain("google-token-0123456789");
  });

  it("lets a request choose the region, but no project with the stored account", async () => {
    const { upstream, post } = await start();
    const ask = (headers: Record<string, string>) =>
      post("/v1/chat/completions", { model: "vertex/gemini-2.5-pro", messages }, headers);
    await ask({ "x-gateway-vertex-region": "europe-west4" });
    expect(upstream.received.at(-1)?.url).toContain("/locations/europe-west4/");
    const bad = await ask({ "x-gateway-vertex-region": "evil.example/" });
    expect(bad.status).toBe(400);
    expect(bad.text).toContain("vertex-region");
    const calls = upstream.received.length;
    const other = await ask({ "x-gateway-vertex-project-id": "other" });
    expect(other.status).toBe(401);
    expect(upstream.received).toHaveLength(calls);
  });

  it("is called for callers with a token and a project of their own, where they say", async () => {
    const { upstream, post } = await start();
    const headers = {
      "x-gateway-provider": "vertex-ai",
      "x-gateway-custom-host": `${upstream.url}/own`,
      "x-gateway-vertex-region": "global",
      authorization: "Bearer callers-token",
    };
    const body = { model: "gemini-2.5-pro", messages };
    const without = await post("/v1/chat/completions", body, headers);
    expect(without.status).toBe(400);
    expect(without.text).toContain("vertex-project-id");
    const { status } = await post("/v1/chat/completions", body, { ...headers, "x-gateway-vertex-project-id": "own-p" });
    expect(status).toBe(200);
    const [asked] = upstream.received;
    expect(asked?.url).toBe(
      "/own/v1/projects/own-p/locations/global/publishers/google/models/gemini-2.5-pro:generateContent",
    );
    expect(asked?.headers.authorization).toBe("Bearer callers-token");
  });
});

describe("azure-openai", () => {
  it("is asked with a token of Entra, for a deployment", async () => {
    const { upstream, post } = await start();
    const { status, text } = await post("/v1/chat/completions", { model: "azure/gpt-4o", messages });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual(completion);
    const [token, asked] = upstream.received;
    expect(token?.url).toBe("/entra/tenant-1/oauth2/v2.0/token");
    expect(asked?.url).toBe("/azure/openai/v1/chat/completions");
    expect(asked?.headers.authorization).toBe("Bearer entra-token-0123456789");
  });

  it("takes the deployment of a config of the file, or of a header", async () => {
    const { upstream, post } = await start();
    const ask = (model: string, headers: Record<string, string>) =>
      post("/v1/chat/completions", { model, messages }, headers);
    await ask("bills", { "x-gateway-config": "bills" });
    expect(upstream.received.at(-1)?.url).toBe(
      "/azure/openai/deployments/d-bills/chat/completions?api-version=2024-10-21",
    );
    await ask("other", { "x-gateway-config": "bills" });
    expect(bodyOf(upstream.received.at(-1)).model).toBe("d-rest");
    await ask("azure/x", { "x-gateway-azure-deployment-id": "d9", "x-gateway-azure-api-version": "2025-01-01" });
    expect(upstream.received.at(-1)?.url).toBe("/azure/openai/deployments/d9/chat/completions?api-version=2025-01-01");
  });

  it("takes what a config brings, in both spellings", async () => {
    const { upstream, post } = await start();
    for (const fields of [
      { resource_name: "r9", deployment_id: "d9", api_version: "2024-10-21" },
      { azure_resource_name: "r9", azure_deployment_id: "d9", azure_api_version: "2024-10-21" },
    ]) {
      const config = { provider: "azure-openai", api_key: "own-key", custom_host: `${upstream.url}/own`, ...fields };
      await post("/v1/chat/completions", { model: "m", messages }, { "x-gateway-config": JSON.stringify(config) });
      const asked = upstream.received.pop();
      expect(asked?.url).toBe("/own/deployments/d9/chat/completions?api-version=2024-10-21");
      expect(asked?.headers["api-key"]).toBe("own-key");
    }
  });

  it("never takes the stored client to a host or a tenant of the caller's", async () => {
    const { upstream, post } = await start();
    for (const headers of [{ "x-gateway-azure-resource-name": "r9" }, { "x-gateway-azure-entra-tenant-id": "other" }]) {
      const { status } = await post("/v1/chat/completions", { model: "azure/m", messages }, headers);
      expect(status).toBe(400);
    }
    const elsewhere = { "x-gateway-custom-host": `${upstream.url}/own` };
    expect((await post("/v1/chat/completions", { model: "azure/m", messages }, elsewhere)).status).toBe(400);
    expect(upstream.received).toEqual([]);
  });

  it("never shows a caller's host this machine's identity", async () => {
    const { upstream, post } = await start();
    const elsewhere = { "x-gateway-custom-host": `${upstream.url}/own` };
    const ask = (model: string, headers: Record<string, string>) =>
      post("/v1/chat/completions", { model, messages }, { ...elsewhere, ...headers });
    await ask("machine/m", {});
    expect(upstream.received.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ["/own/v1/chat/completions", undefined],
    ]);
    for (const model of ["machine/m", "azure/m"]) {
      const { status, text } = await ask(model, { "x-gateway-azure-auth-mode": "managed" });
      expect(status).toBe(400);
      expect(text).toContain("only the config file");
    }
    expect(upstream.received).toHaveLength(1);
  });

  it("says what a call needs", async () => {
    const { post } = await start();
    const headers = { "x-gateway-provider": "azure-openai", authorization: "Bearer own-key" };
    const { status, text } = await post("/v1/chat/completions", { model: "m", messages }, headers);
    expect(status).toBe(400);
    expect(text).toContain("azure-resource-name");
  });
});

describe("azure-ai", () => {
  it("asks Claude in its own format", async () => {
    const { upstream, post } = await start();
    const body = { model: "foundry/claude", messages, max_tokens: 5 };
    const { text } = await post("/v1/messages", body, { "anthropic-beta": "context-1m-2025-08-07" });
    expect(JSON.parse(text)).toEqual(message);
    const [asked] = upstream.received;
    expect(asked?.url).toBe("/anthropic/v1/messages");
    expect(asked?.headers).toMatchObject({
      "x-api-key": "foundry-key-0123456789",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "context-1m-2025-08-07",
    });
    expect(bodyOf(asked)).toEqual({ ...body, model: "claude" });
  });

  it("calls the URL a caller brings with the caller's key only", async () => {
    const { upstream, post } = await start();
    const headers = { "x-gateway-azure-foundry-url": `${upstream.url}/models`, "x-gateway-azure-api-version": "v" };
    const ask = (more: Record<string, string>) =>
      post("/v1/chat/completions", { model: "foundry/phi", messages }, { ...headers, ...more });
    await ask({ authorization: "Bearer own-key" });
    const asked = upstream.received.pop();
    expect(asked?.url).toBe("/models/chat/completions?api-version=v");
    expect(asked?.headers.authorization).toBe("Bearer own-key");
    await ask({});
    expect(JSON.stringify(upstream.received.pop()?.headers)).not.toContain("foundry-key");
  });

  it("does not call metadata services for anybody", async () => {
    const { post } = await start();
    const headers = { "x-gateway-azure-foundry-url": "http://169.254.169.254/models", authorization: "Bearer own-key" };
    const { status, text } = await post("/v1/chat/completions", { model: "foundry/phi", messages }, headers);
    expect(status).toBe(400);
    expect(text).toContain("Invalid custom host");
  });

  it("reaches files and batches of the resource by raw calls", async () => {
    const { gateway, upstream } = await start();
    await call(`${gateway.url}/v1/batches/b1`, { headers: { "x-gateway-provider": "@foundry", authorization: "" } });
    expect(upstream.received.at(-1)?.url).toBe("/openai/batches/b1");
  });
});
