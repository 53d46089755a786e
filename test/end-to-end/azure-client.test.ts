import { type AzureOpenAI, toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explainRequest } from "../../core/cli/explain/explain-request.ts";
import { azureClient } from "../support/clients.ts";
import { gatewayKey, vendorKey } from "../support/deployment.ts";
import { startFreeGateway, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { json, type Received, startUpstream } from "../support/upstream.ts";

const plugins = {
  "auth-keys": { keys: [{ name: "team", key: gatewayKey }] },
  routing: { default: "simulator" },
  "format-openai-chat": {},
  "format-openai-responses": {},
  "format-openai-completions": {},
  "format-openai-embeddings": {},
  "format-openai-images": {},
  "format-openai-audio": {},
  "format-openai-files": {},
  proxy: {},
};

const azure = (url: string, deployment?: string, key = gatewayKey) => azureClient({ url, key, deployment });

const messages = [{ role: "user" as const, content: "Hello" }];
/** What LangChain has in the body whatever the deployment. */
const other = "gpt-3.5-turbo";

describe("the client of Azure's", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startFreeGateway(JSON.stringify({ plugins, providers: { simulator: {} } }));
  });
  afterAll(() => gateway.shutdown(0, 0));

  it.each([
    ["demo", "demo"],
    ["gpt-4o.2 (team é)", "gpt-4o.2 (team é)"],
    ["simulator/demo", "demo"],
    ["@simulator/chat/demo", "chat/demo"],
  ])("asks the deployment %s, whatever model the body says", async (deployment, model) => {
    const completion = await azure(gateway.url, deployment).chat.completions.create({ model: other, messages });
    expect(completion).toMatchObject({
      model,
      choices: [{ finish_reason: "stop", message: { content: `Simulated answer from ${model}: Hello` } }],
    });
    expect(completion.usage?.completion_tokens).toBeGreaterThan(0);
  });

  it("has the model of the body for a deployment where it was given none", async () => {
    const client = azure(gateway.url);
    const completion = await client.chat.completions.create({ model: "simulator/demo", messages });
    expect(completion.model).toBe("demo");
    const { output_text } = await client.responses.create({ model: "demo", input: "Hello" });
    expect(output_text).toBe("Simulated answer from demo: Hello");
  });

  it("gets streams, and calls of tools", async () => {
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const stream = azure(gateway.url, "demo").chat.completions.stream({
      model: other,
      messages: [{ role: "user", content: "Call get_weather." }],
      tools: [{ type: "function", function: { name: "get_weather", parameters } }],
      stream_options: { include_usage: true },
    });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(choices).toMatchObject([
      { finish_reason: "tool_calls", message: { tool_calls: [{ function: { name: "get_weather" } }] } },
    ]);
    expect(usage?.total_tokens).toBeGreaterThan(0);
  });

  it("gets texts, vectors and images of a deployment", async () => {
    const client = azure(gateway.url, "demo");
    const { choices } = await client.completions.create({ model: other, prompt: "Hello" });
    expect(choices[0]?.text).toContain("from demo");
    const { data, model } = await client.embeddings.create({ model: other, input: "Hello" });
    expect([model, data[0]?.embedding.length]).toEqual(["demo", expect.any(Number)]);
    expect((await client.images.generate({ prompt: "A cat" })).data).toHaveLength(1);
  });

  it("lists models, and has files and batches", async () => {
    const client = azure(gateway.url, "demo");
    expect((await client.models.list()).data.length).toBeGreaterThan(0);
    const body = { model: "demo", messages };
    const line = JSON.stringify({ custom_id: "a", method: "POST", url: "/v1/chat/completions", body });
    const { id } = await client.files.create({ file: await toFile(Buffer.from(line), "a.jsonl"), purpose: "batch" });
    expect((await client.files.list()).data.map((file) => file.id)).toEqual([id]);
    expect(await (await client.files.content(id)).text()).toBe(line);
    const asked = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
    const batch = await client.batches.create(asked);
    const done = await client.batches.retrieve(batch.id);
    expect(done).toMatchObject({ id: batch.id, request_counts: { total: 1, completed: 1 } });
    const output = await (await client.files.content(done.output_file_id ?? "")).text();
    expect(output).toContain("Simulated answer from demo: Hello");
    expect((await client.files.delete(id)).deleted).toBe(true);
  });

  it("is refused in the words it knows", async () => {
    const ask = (client: AzureOpenAI) => client.chat.completions.create({ model: other, messages });
    await expect(ask(azure(gateway.url, "demo", "nobody's"))).rejects.toMatchObject({
      status: 401,
      code: "invalid_api_key",
    });
    await expect(ask(azure(gateway.url, "fault-status-429"))).rejects.toMatchObject({
      status: 429,
      type: "rate_limit_error",
      code: "rate_limit_exceeded",
    });
    await expect(
      azure(gateway.url, "demo").completions.create({ model: other, prompt: "Hello", temperature: 7 }),
    ).rejects.toMatchObject({ status: 400, type: "invalid_request_error", param: "temperature" });
    await expect(azure(gateway.url, "demo").post("/deployments/demo/nothing")).rejects.toMatchObject({ status: 404 });
  });

  it("is explained as it is asked", async () => {
    const request = {
      method: "POST",
      url: "/openai/deployments/simulator/small%201/chat/completions?api-version=2024-10-21",
      headers: { "api-key": gatewayKey, "content-type": "application/json" },
      body: Buffer.from(JSON.stringify({ model: other, messages })),
    };
    const { generation } = gateway;
    const none = { secrets: [], configuredHeaders: () => new Set<string>() };
    const { principal, route } = await explainRequest({ ...none, generation, request });
    expect(principal?.name).toBe("team");
    expect(route?.targets).toMatchObject([{ provider: { slug: "simulator" }, model: "small 1" }]);
  });

  it("is told that nitro mode cannot go by a URL", async () => {
    const headers = { "x-gateway-nitro-mode": "true", "x-gateway-provider": "@simulator" };
    const ask = azure(gateway.url, "demo").chat.completions.create({ model: other, messages }, { headers });
    await expect(ask).rejects.toMatchObject({ status: 400, param: "nitro-mode" });
  });
});

describe("what a vendor is asked of Azure's client", () => {
  async function start() {
    const upstream = await startUpstream((_, response) => json(response, 200, { text: "Hello", data: [], id: "f" }));
    const provider = { use: "openai", apiKey: vendorKey, baseUrl: `${upstream.url}/vendor` };
    const resource = { use: "azure-openai", apiKey: vendorKey, baseUrl: `${upstream.url}/openai` };
    const config = {
      plugins: { ...plugins, routing: { default: "vendor" } },
      providers: { vendor: provider, resource },
    };
    const { url } = await startTestGateway(JSON.stringify(config));
    return { url, received: upstream.received };
  }
  const shown = ({ url, headers, body }: Received) => `${url} ${JSON.stringify(headers)} ${body.toString("latin1")}`;

  it("is the deployment, with the key of the provider and without a version", async () => {
    const { url, received } = await start();
    const client = azure(url, "d 1");
    const file = () => toFile(Buffer.from([0xff, 0xf3, 0x0d, 0x0a]), "a.mp3", { type: "audio/mpeg" });
    await client.chat.completions.create({ model: other, messages }).catch(() => undefined);
    await client.audio.speech.create({ model: other, voice: "alloy", input: "Hello" });
    await client.audio.transcriptions.create({ model: other, file: await file() });
    await client.audio.translations.create({ model: "d 1", file: await file() });
    await client.images.edit({ prompt: "A cat", image: await file() });
    await client.files.list({ limit: 5 });
    await client.vectorStores.list();
    expect(received.map((one) => one.url)).toEqual([
      "/vendor/chat/completions",
      "/vendor/audio/speech",
      "/vendor/audio/transcriptions",
      "/vendor/audio/translations",
      "/vendor/images/edits",
      "/vendor/files?limit=5",
      "/vendor/vector_stores",
    ]);
    for (const one of received.slice(0, 5)) expect(shown(one)).toContain("d 1");
    for (const one of received) {
      expect(one.headers).toMatchObject({ authorization: `Bearer ${vendorKey}` });
      expect(shown(one)).not.toMatch(new RegExp(`${gatewayKey}|api-version|${other}`));
    }
  });

  it("is the deployment where the body names no model, and nothing else of it is changed", async () => {
    const { url, received } = await start();
    const ask = (body: string, at = `${url}/openai/deployments/a%2Fb%20c/embeddings/?api-version=2024-10-21&x`) =>
      fetch(at, { method: "POST", headers: { "api-key": gatewayKey, "content-type": "application/json" }, body });
    await ask('{"input" : "Hello"}');
    await ask('{ "input":"Hello","model" : null }');
    await ask("{ }");
    expect(received.map(({ body }) => `${body}`)).toEqual([
      '{"model":"a/b c","input" : "Hello"}',
      '{ "input":"Hello","model" : "a/b c" }',
      '{"model":"a/b c" }',
    ]);
    for (const path of ["/openai/deployments", "/openai/deployments/a", "/openai/deployments/a/none"])
      expect((await ask("{}", url + path)).status).toBe(404);
  });

  it("is what it says itself below /v1/proxy", async () => {
    const { url, received } = await start();
    const path = "/deployments/a%20b/chat/completions?api-version=2024-10-21";
    const headers = {
      "x-gateway-api-key": gatewayKey,
      "x-gateway-provider": "@resource",
      "content-type": "application/json",
    };
    const body = JSON.stringify({ messages });
    for (const before of ["/v1/proxy", "/v1/proxy/openai"])
      expect((await fetch(`${url}${before}${path}`, { method: "POST", headers, body })).status).toBe(200);
    expect(received.map((one) => one.url)).toEqual([`/openai${path}`, `/openai${path}`]);
    expect(received.map((one) => `${one.body}`)).toEqual([body, body]);
  });
});
