import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { folderOfFile } from "../support/folder-of-file.ts";
import { startFreeGateway, type TestGateway } from "../support/gateway.ts";

const config = readFileSync(new URL("../../config/gateway.yaml", import.meta.url), "utf8");
const adminKey = "the-first-key-of-a-test";
const secret = "sk-vendor-0123456789abcdef";
const messages = [{ role: "user", content: "How are you?" }];
const hour = 3_600_000;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Shown = any;

/** What `npm start` runs, on records that outlive it. */
const start = (folder: string) => startFreeGateway(config, { BOOTSTRAP_ADMIN_KEY: adminKey }, folder);

async function api({ url }: TestGateway, path: string, body?: object, key = adminKey): Promise<Shown> {
  const response = await fetch(`${url}/v1${path}`, {
    method: body ? "POST" : "GET",
    headers: { "x-gateway-api-key": key, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, `${path}: ${text}`).toBe(200);
  return JSON.parse(text);
}

/** Asks as nobody in particular, and reads the answer as far as it comes; the id of the request. */
async function ask({ url }: TestGateway, body: object, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "m", messages, ...body }),
  });
  await response.text().catch(() => undefined);
  return response.headers.get("x-gateway-request-id") ?? "";
}

const inline = (value: object) => ({ "x-gateway-config": JSON.stringify({ provider: "@simulator", ...value }) });
const soft = { contains: { words: ["How", "answer"], operator: "none" }, deny: true, soft_deny_200: true };
const cached = inline({ cache: { mode: "simple" } });

/** What was asked, and what the row says of it. */
const cases: readonly (readonly [string, object, Record<string, string>, object])[] = [
  ["a whole answer", {}, {}, { is_success: true, stream_mode: 0, total_units: 10, ai_org: "simulator", ai_model: "m" }],
  ["a request without a cache", {}, {}, { cache_status: "DISABLED", cache_type: null, cache_processing_time: null }],
  [
    "a stream",
    { stream: true, stream_options: { include_usage: true } },
    {},
    { is_success: true, stream_mode: 1, total_units: 10, ttft: expect.any(Number) },
  ],
  ["a stream that is cut", { model: "fault-cut-after-2", stream: true }, {}, { is_success: false, stream_mode: 1 }],
  ["a failure", { model: "fault-status-503" }, {}, { is_success: false, response_status_code: 503, total_units: null }],
  ["an answer the cache had not", { user: "u-7" }, cached, { cache_status: "MISS", config: "inline", _user: "u-7" }],
  ["an answer of the cache", { user: "u-7" }, cached, { cache_status: "HIT", cache_type: "SIMPLE", cost: 0 }],
  [
    "a retry that helped",
    { model: "fault-flaky-1:records" },
    inline({ retry: { attempts: 2 } }),
    { is_success: true, retry_success_count: 1 },
  ],
  [
    "a denial that looks like an answer",
    {},
    inline({ input_guardrails: [soft] }),
    { is_success: false, response_status_code: 446, cost: 0, cache_status: null },
  ],
  [
    "a denial of a stream that looks like one",
    { stream: true },
    inline({ input_guardrails: [soft] }),
    { is_success: false, response_status_code: 446, stream_mode: 1 },
  ],
  ["a denied answer", {}, inline({ output_guardrails: [soft] }), { is_success: false, response_status_code: 446 }],
  [
    "a denied answer of a stream",
    { stream: true },
    inline({ output_guardrails: [soft] }),
    { is_success: false, response_status_code: 446 },
  ],
  [
    "a stream that was denied when some of it had left",
    { stream: true },
    inline({ output_guardrails: [{ contains: { words: ["you?"], operator: "none" }, deny: true }] }),
    { is_success: false, response_status_code: 446, stream_mode: 1, usage_source: "estimated" },
  ],
  [
    "a stream that was begun anew",
    { stream: true },
    {
      "x-gateway-resume": "restart",
      ...inline({
        provider: undefined,
        strategy: { mode: "fallback" },
        stream_resume: "restart",
        targets: [
          { provider: "@simulator", override_params: { model: "fault-cut-after-2" } },
          { provider: "@simulator" },
        ],
      }),
    },
    { is_success: true, response_status_code: 200, mode: "fallback", last_used_option_index: 1 },
  ],
  [
    "a target after another",
    {},
    inline({
      provider: undefined,
      strategy: { mode: "fallback" },
      targets: [{ provider: "@simulator", override_params: { model: "fault-status-500" } }, { provider: "@simulator" }],
    }),
    { is_success: true, mode: "fallback", last_used_option_index: 1 },
  ],
];

describe("requests of what npm start runs", () => {
  it("are found in GET /v1/logs after a restart, as what they were", async () => {
    const folder = folderOfFile();
    const first = await start(folder);
    const ids: string[] = [];
    for (const [, body, headers] of cases) ids.push(await ask(first, body, headers));
    await first.shutdown(0, 0);

    const second = await start(folder);
    onTestFinished(() => second.shutdown(0, 0));
    for (const [at, [name, , , wanted]] of cases.entries()) {
      const { metrics, request, response } = await api(second, `/logs/${ids[at]}`);
      expect(metrics, name).toMatchObject({ id: ids[at], api_key_name: "anyone", source: "gateway", ...wanted });
      expect(metrics.workspace_slug, name).toMatch(/^ws-shared/);
      expect(request.body?.messages ?? messages, name).toEqual(messages);
      if (metrics.is_success) expect(response.body.choices[0].message.content, name).toContain("How are you?");
    }
    const listed = await api(second, "/logs?page_size=4");
    // Two of them have a record more: of the target before.
    expect(listed).toMatchObject({ total: cases.length + 2 });
    const rest = await api(second, `/logs?page_size=500&cursor=${listed.next_cursor}`);
    const found = [...listed.data, ...rest.data].map(({ id }: Shown) => id);
    expect(found).toHaveLength(cases.length + 2);
    expect(found).toEqual(expect.arrayContaining(ids));
    // The failed target of the fallback is a record of its own, and so is the stream that died, which is no success
    // although the client saw its beginning.
    expect((await api(second, "/logs?status_code=500")).data).toMatchObject([
      { internal_trace_id: ids.at(-1), parent_span_id: expect.any(String) },
      { internal_trace_id: ids.at(-2), is_success: false, ai_model: "fault-cut-after-2" },
    ]);
  });

  it("have what guardrails said of their own target, and of no other", async () => {
    const gateway = await start(folderOfFile());
    onTestFinished(() => gateway.shutdown(0, 0));
    const denies = { contains: { words: ["How"], operator: "none" }, deny: true };
    const guarded = { provider: "@simulator", input_guardrails: [denies], override_params: { model: "guarded" } };
    const config = {
      strategy: { mode: "fallback", on_status_codes: [446] },
      targets: [guarded, { provider: "@simulator" }],
    };
    const id = await ask(gateway, {}, { "x-gateway-config": JSON.stringify(config) });
    const rows = async () => (await api(gateway, "/logs?page_size=10")).data as Shown[];
    await expect.poll(async () => (await rows()).length, { timeout: 10_000 }).toBe(2);
    const denied = (await rows()).find((row) => row.id !== id);
    const first = await api(gateway, `/logs/${denied.id}`);
    expect([denied.ai_model, first.hook_results]).toMatchObject([
      "guarded",
      { before_request_hooks: [{ deny: true, verdict: false }] },
    ]);
    const last = await api(gateway, `/logs/${id}`);
    expect([last.metrics.is_success, last.hook_results]).toEqual([true, undefined]);
  });

  it.each<[string, { readonly mode: string }, string, readonly string[]]>([
    ["of its own target, and not of a copy's", { mode: "shadow" }, "first", ["first", "prod"]],
    ["of the rival that answered", { mode: "hedge", ...{ delay: hour } }, "fault-status-503", ["second", "trial"]],
  ])("have the metadata that the config says %s", async (_, strategy, model, [answering, env]) => {
    const gateway = await start(folderOfFile());
    onTestFinished(() => gateway.shutdown(0, 0));
    const target = (env: string, model: string) => ({
      provider: "@simulator",
      metadata: { env },
      override_params: { model },
    });
    const config = { strategy, targets: [target("prod", model), target("trial", "second")] };
    const id = await ask(gateway, {}, { "x-gateway-config": JSON.stringify(config) });
    const rows = async () => (await api(gateway, "/logs?page_size=10")).data as Shown[];
    await expect.poll(async () => (await rows()).length, { timeout: 10_000 }).toBe(2);
    const { metrics } = await api(gateway, `/logs/${id}`);
    expect([metrics.ai_model, metrics["metadata.value"]]).toEqual([answering, [env]]);
    if (strategy.mode === "shadow")
      expect((await rows()).find((row) => row.ai_model === "second")["metadata.value"]).toEqual(["trial"]);
  });

  it("name the key, the saved config and the prompt they were made with, and show no secret", async () => {
    const gateway = await start(folderOfFile());
    onTestFinished(() => gateway.shutdown(0, 0));
    const { slug: workspace } = await api(gateway, "/admin/workspaces", { name: "Claims" });
    const named = { workspace_id: workspace };
    const { data: saved } = await api(gateway, "/configs", {
      ...named,
      name: "Careful",
      config: { provider: "simulator", retry: { attempts: 1 } },
    });
    const { slug: collection } = await api(gateway, "/collections", { ...named, name: "Letters" });
    await api(gateway, "/integrations", {
      ...named,
      name: "Ours",
      ai_provider_id: "simulator",
      key: secret,
      default_provider_slug: "ours",
    });
    const prompt = await api(gateway, "/prompts", {
      name: "Greeting",
      collection_id: collection,
      string: JSON.stringify([{ role: "user", content: "Greet {{name}}." }]),
      parameters: {},
      model: "m",
      virtual_key: "ours",
    });
    const keyFor = (name: string, more: object) =>
      api(gateway, "/api-keys/workspace/service", {
        ...named,
        name,
        scopes: ["completions.write", "logs.view", "logs.list"],
        ...more,
      });
    const key = await keyFor("backend", { defaults: { config_id: saved.slug } });
    const plain = await keyFor("letters", {});
    const id = await ask(gateway, {}, { authorization: `Bearer ${key.key}`, "x-api-key": secret });
    await api(gateway, `/prompts/${prompt.slug}/completions`, { variables: { name: "Ada" } }, plain.key);
    await expect.poll(async () => (await api(gateway, "/logs", undefined, key.key)).total, { timeout: 10_000 }).toBe(2);
    const shown = await api(gateway, `/logs/${id}`, undefined, key.key);
    expect(shown.metrics).toMatchObject({
      api_key_id: key.id,
      api_key_name: "backend",
      workspace_slug: workspace,
      config: saved.slug,
      config_id: saved.id,
      config_version_id: saved.version_id,
      virtual_key: "simulator",
    });
    const [called] = (await api(gateway, `/logs?prompt_slug=${prompt.slug}`, undefined, key.key)).data;
    expect(called).toMatchObject({
      prompt_slug: prompt.slug,
      prompt_id: prompt.id,
      prompt_version_id: prompt.version_id,
      virtual_key: "ours",
      source: "gateway",
      is_proxy_call: false,
      total_units: expect.any(Number),
    });
    const rendered = await api(gateway, `/logs/${called.id}`, undefined, key.key);
    expect(rendered.finalUntransformedRequest.body.messages).toEqual([{ role: "user", content: "Greet Ada." }]);
    for (const hidden of [key.key, plain.key, secret]) expect(JSON.stringify([shown, rendered])).not.toContain(hidden);
  });
});
