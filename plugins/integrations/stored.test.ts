import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Records, Sealing } from "../../core/index.ts";
import { openAiClient } from "../../test/support/clients.ts";
import type { Caller } from "../../test/support/management.ts";
import { startMongoServer } from "../../test/support/mongo-server.ts";
import { integrationStore, providerStore } from "./documents.ts";
import { type Opened, openIntegrations } from "./testing.ts";

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

const key = "sk-stored-0123456789";
const messages = [{ role: "user" as const, content: "Hi" }];

/** A vendor of this file, which knows some keys and answers in OpenAI's way. */
const vendor = { url: "", received: [] as Received[], refuses: new Set<string>() };
const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on("data", (bytes: Buffer) => pieces.push(bytes));
  request.on("end", () => {
    const text = Buffer.concat(pieces).toString();
    const body = text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {};
    const { method = "", url = "", headers } = request;
    vendor.received.push({ method, url, headers, body });
    const shown = String(headers.authorization ?? headers["api-key"]).replace("Bearer ", "");
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    };
    if (vendor.refuses.has(shown)) return json(401, { error: { message: `Incorrect API key provided: ${shown}` } });
    const choice = { index: 0, finish_reason: "stop" };
    if (body.stream !== true)
      return json(200, {
        id: "c",
        object: "chat.completion",
        created: 1,
        model: body.model,
        choices: [{ ...choice, message: { role: "assistant", content: "Hello." } }],
      });
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: body.model };
    response.write(
      `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: "Hello." } }] })}\n\n`,
    );
    response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ ...choice, delta: {} }] })}\n\n`);
    return response.end("data: [DONE]\n\n");
  });
});

let opened: Opened;
let admin: Caller;
let member: Caller;
let count = 0;

const dataPath = {
  routing: {},
  "strategy-fallback": {},
  retry: {},
  proxy: {},
  "access-log": { trace: true },
  "format-openai-chat": {},
};
/** A slug nobody has yet. */
const fresh = () => `p${++count}`;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  opened = await openIntegrations(dataPath, {
    providers: { mine: { use: "openai", apiKey: "sk-of-the-file", baseUrl: `${vendor.url}/file/v1` } },
    variables: { TRUSTED_CUSTOM_HOSTS: "127.0.0.1,llm.models.svc.cluster.local" },
  });
  admin = opened.admin;
  member = opened.as({ workspace: opened.workspace.id });
});
afterAll(async () => {
  await opened.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  vendor.received.length = 0;
  vendor.refuses.clear();
});

/** A provider of the workspace that calls the vendor of this file, under a slug of its own. */
async function stored(body: Record<string, unknown> = {}, caller = member): Promise<string> {
  const slug = fresh();
  const { configurations, ...more } = body;
  const made = await caller("POST", "/integrations", {
    name: slug,
    slug,
    ai_provider_id: "openai",
    key,
    configurations: { custom_host: `${vendor.url}/v1`, ...(configurations as object) },
    ...more,
  });
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 200 });
  return slug;
}

/** A chat by a member of the workspace, with headers of the gateway by their names without prefix. */
const chat = (
  headers: Record<string, string>,
  body: Record<string, unknown> = { model: "gpt-4o" },
  caller = member,
  path = "/chat/completions",
) =>
  caller(
    "POST",
    path,
    { messages, ...body },
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name === "authorization" ? name : `x-gateway-${name}`, value]),
    ),
  );

const last = () => vendor.received.at(-1);

describe("a stored provider", () => {
  it("serves the OpenAI client, whole and streamed", async () => {
    const slug = await stored();
    const principal = { id: "sdk", organisation: opened.organisation, workspace: opened.workspace.id };
    const headers = { "x-test-principal": JSON.stringify(principal), "x-gateway-provider": `@${slug}` };
    const client = openAiClient({ url: opened.gateway.url, headers });
    const whole = await client.chat.completions.create({ model: "gpt-4o", messages });
    expect(whole.choices[0]?.message.content).toBe("Hello.");
    const streamed = await client.chat.completions.stream({ model: "gpt-4o", messages }).finalChatCompletion();
    expect(streamed.choices[0]?.message.content).toBe("Hello.");
    expect(vendor.received.map(({ url, headers: { authorization } }) => [url, authorization])).toEqual([
      ["/v1/chat/completions", `Bearer ${key}`],
      ["/v1/chat/completions", `Bearer ${key}`],
    ]);
  });

  it("is named in every way there is", async () => {
    const slug = await stored({ configurations: { openai_organization: "org-1" } });
    const config = (value: object) => ({ config: JSON.stringify(value) });
    const ways: Record<string, [Record<string, string>, Record<string, unknown>?]> = {
      "the provider header": [{ provider: `@${slug}` }],
      "the provider header, with a model": [{ provider: `@${slug}/gpt-4o` }, {}],
      "the virtual key header": [{ "virtual-key": slug }],
      "in front of the model": [{}, { model: `@${slug}/gpt-4o` }],
      "a config": [config({ provider: `@${slug}` })],
      "a virtual key in a config": [config({ virtual_key: slug })],
      "the model of a config": [config({ override_params: { model: `@${slug}/gpt-4o` } }), { model: "any" }],
      "a target of a config": [
        config({
          strategy: { mode: "fallback" },
          targets: [{ provider: `@${slug}`, override_params: { model: "gpt-4o" } }],
        }),
        { model: "any" },
      ],
      "the request, for a config that leaves it open": [
        { ...config({ retry: { attempts: 1 } }), provider: `@${slug}` },
      ],
      "the request, for a target that does": [
        { ...config({ strategy: { mode: "fallback" }, targets: [{ passthrough: true }] }), provider: `@${slug}` },
      ],
    };
    for (const [way, [headers, body = { model: "gpt-4o" }]] of Object.entries(ways)) {
      const answer = await chat(headers, body);
      expect(answer.status, `${way}: ${JSON.stringify(answer.body)}`).toBe(200);
      expect(answer.headers.get("x-gateway-provider"), way).toBe("openai");
      expect(last(), way).toMatchObject({
        url: "/v1/chat/completions",
        body: { model: "gpt-4o" },
        headers: { authorization: `Bearer ${key}`, "openai-organization": "org-1" },
      });
    }
  });

  it("is called with the new key as soon as it has one", async () => {
    const slug = await stored();
    await chat({ provider: `@${slug}` });
    expect((await member("PUT", `/integrations/${slug}`, { key: "sk-new-9876543210" })).status).toBe(200);
    await chat({ provider: `@${slug}` });
    expect(vendor.received.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${key}`,
      "Bearer sk-new-9876543210",
    ]);
  });

  it("is nobody else's", async () => {
    const slug = await stored();
    const other = (await admin("POST", "/admin/workspaces", { name: `Neighbours ${slug}` })).body;
    const strangers: Record<string, Caller> = {
      "of another workspace": opened.as({ workspace: other.uuid }),
      "of another organisation": opened.as({
        organisation: "22222222-2222-4222-8222-222222222222",
        workspace: opened.workspace.id,
      }),
      "of nobody": opened.as({ organisation: undefined as never }),
    };
    await chat({ provider: `@${slug}` });
    for (const [who, stranger] of Object.entries(strangers))
      for (const [headers, body] of [
        [{ provider: `@${slug}` }],
        [{ "virtual-key": slug }],
        [{}, { model: `@${slug}/gpt-4o` }],
        [{ config: JSON.stringify({ provider: `@${slug}` }) }],
      ] as [Record<string, string>, Record<string, unknown>?][]) {
        const refused = await chat(headers, body, stranger);
        expect(refused.status, who).toBe(400);
        expect(refused.body.error.message, who).toContain(`no stored provider "@${slug}"`);
      }
    expect(vendor.received).toHaveLength(1);
    expect((await chat({ provider: "openai" }, undefined, member)).status).toBe(401);
  });

  it("gives way to the file's of the same slug", async () => {
    expect((await chat({ provider: "@mine" })).status).toBe(200);
    expect(last()).toMatchObject({
      url: "/file/v1/chat/completions",
      headers: { authorization: "Bearer sk-of-the-file" },
    });
    expect((await chat({ config: JSON.stringify({ provider: "@mine" }) })).status).toBe(200);
  });

  it("is called as its vendor wants to be", async () => {
    const deployment = {
      azure_deployment_name: "gpt-4o-eu",
      azure_api_version: "2024-10-21",
      azure_model_slug: "gpt-4o",
      alias: "best",
    };
    const configurations = {
      custom_host: `${vendor.url}/openai`,
      azure_auth_mode: "default",
      azure_deployment_config: [deployment],
    };
    const slug = await stored({ ai_provider_id: "azure-openai", configurations });
    for (const model of ["gpt-4o", "best"]) {
      expect((await chat({ provider: `@${slug}` }, { model })).status).toBe(200);
      expect(last()).toMatchObject({
        url: "/openai/deployments/gpt-4o-eu/chat/completions?api-version=2024-10-21",
        headers: { "api-key": key },
      });
    }
  });

  it("is called as a virtual key, too", async () => {
    const made = await member("POST", "/virtual-keys", {
      name: "vk",
      provider: "open-ai",
      key,
      customHost: `${vendor.url}/vk/v1`,
    });
    const { slug } = made.body.data;
    expect((await chat({ "virtual-key": slug })).status).toBe(200);
    expect(last()).toMatchObject({ url: "/vk/v1/chat/completions", headers: { authorization: `Bearer ${key}` } });
    await member("PUT", `/virtual-keys/${slug}`, { customHost: `${vendor.url}/other/v1` });
    await chat({ "virtual-key": slug });
    expect(last()?.url).toBe("/other/v1/chat/completions");
    await member("DELETE", `/virtual-keys/${slug}`);
    expect((await chat({ "virtual-key": slug })).status).toBe(400);
  });

  it("is called raw, with its key on top", async () => {
    const slug = await stored();
    const answer = await chat(
      { provider: `@${slug}`, authorization: "Bearer of-the-caller" },
      {},
      member,
      "/proxy/files?a=b",
    );
    expect(answer.status).toBe(200);
    expect(last()).toMatchObject({ method: "POST", url: "/v1/files?a=b", headers: { authorization: `Bearer ${key}` } });
    expect(last()?.headers).not.toHaveProperty("x-gateway-provider");
  });
});

describe("hosts and headers", () => {
  it("of a model beat those of its integration, and a request's beat both", async () => {
    const slug = await stored({
      configurations: {
        custom_headers: { "X-Team": "claims", "x-level": "integration" },
        forward_headers: ["x-caller"],
      },
    });
    const model = { slug: "own", enabled: true, is_custom: true, base_model_slug: "gpt-4o" };
    const configurations = { custom_host: `${vendor.url}/model/v1`, custom_headers: { "X-Level": "model" } };
    await member("PUT", `/integrations/${slug}/models`, { models: [{ ...model, configurations }] });
    const call = (body: object, headers: Record<string, string> = {}) =>
      member(
        "POST",
        "/chat/completions",
        { messages, ...body },
        { "x-gateway-provider": `@${slug}`, "x-caller": "me", ...headers },
      );
    await call({ model: "gpt-4o" });
    expect(last()).toMatchObject({
      url: "/v1/chat/completions",
      headers: { "x-team": "claims", "x-level": "integration", "x-caller": "me" },
    });
    await call({ model: "own" });
    expect(last()).toMatchObject({
      url: "/model/v1/chat/completions",
      headers: { "x-team": "claims", "x-level": "model", authorization: `Bearer ${key}` },
    });
    const elsewhere = { "x-gateway-custom-host": `${vendor.url}/elsewhere/v1` };
    // Whoever runs that host may want no key; what is kept never goes there.
    const config = JSON.stringify({ custom_host: elsewhere["x-gateway-custom-host"] });
    for (const headers of [elsewhere, { "x-gateway-config": config }]) {
      expect((await call({ model: "own" }, headers)).status).toBe(200);
      expect(last()?.url).toBe("/elsewhere/v1/chat/completions");
      expect(JSON.stringify(last()?.headers)).not.toMatch(/sk-stored|x-level|claims/);
    }
    expect((await call({ model: "own" }, { ...elsewhere, authorization: "Bearer of-the-caller" })).status).toBe(200);
    expect(last()).toMatchObject({
      url: "/elsewhere/v1/chat/completions",
      headers: { authorization: "Bearer of-the-caller" },
    });
    expect(last()?.headers).not.toHaveProperty("x-level");
  });

  it("of the cluster are saved where they are trusted, and never named by a caller", async () => {
    const host = { custom_host: "http://llm.models.svc.cluster.local:8000/v1" };
    expect(await stored({ configurations: host })).toMatch(/^p\d+$/);
    const other = {
      name: "x",
      ai_provider_id: "openai",
      key,
      configurations: { custom_host: "http://other.models.svc.cluster.local" },
    };
    expect((await member("POST", "/integrations", other)).status).toBe(400);
    const slug = await stored();
    expect(await chat({ provider: `@${slug}`, "custom-host": host.custom_host })).toMatchObject({
      status: 400,
      body: { message: "Invalid custom host" },
    });
  });

  it("that are the callers' own may want no key", async () => {
    const slug = await stored({ key: undefined });
    expect((await chat({ provider: `@${slug}` })).status).toBe(200);
    expect(last()?.headers).not.toHaveProperty("authorization");
  });
});

describe("what a provider may not do", () => {
  it("is told by status and code, and fallbacks go on", async () => {
    const slug = await stored();
    const providers = providerStore({ records: opened.gateway.generation.kernel.offered(Records) ?? fail() });
    const change = async (document: object) => {
      const record = (await providers.get(opened.organisation, slug, opened.workspace.id)) ?? fail();
      await providers.update(record, (kept) => ({ ...kept, ...document }));
    };
    const cases: [string, object, number, string][] = [
      ["a budget that is used up", { status: "exhausted" }, 412, "budget_exhausted"],
      ["a day that is over", { status: "active", expires_at: "2020-01-01T00:00:00.000Z" }, 401, "provider_expired"],
    ];
    const backup = await stored();
    for (const [what, document, status, code] of cases) {
      await change(document);
      expect(await chat({ provider: `@${slug}` }), what).toMatchObject({ status, body: { error: { code } } });
      const targets = [{ provider: `@${slug}` }, { provider: `@${backup}` }];
      const answer = await chat({ config: JSON.stringify({ strategy: { mode: "fallback" }, targets }) });
      expect(answer.status, what).toBe(200);
      expect(answer.headers.get("x-gateway-last-used-option-index")).toBe("config.targets[1]");
    }
    await change({ expires_at: null });
    expect((await chat({ provider: `@${slug}` })).status).toBe(200);
  });

  it("is taken back with the access, and for ever with the integration", async () => {
    const slug = await stored({}, admin);
    const open = (enabled: boolean) =>
      admin("PUT", `/integrations/${slug}/workspaces`, { workspaces: [{ id: opened.workspace.slug, enabled }] });
    expect((await chat({ provider: `@${slug}` })).status).toBe(400);
    await open(true);
    expect((await chat({ provider: `@${slug}` })).status).toBe(200);
    await open(false);
    expect(await chat({ provider: `@${slug}` })).toMatchObject({
      status: 403,
      body: { error: { code: "provider_not_available" } },
    });
    await open(true);
    expect((await chat({ provider: `@${slug}` })).status).toBe(200);
    await admin("DELETE", `/integrations/${slug}`);
    expect((await chat({ provider: `@${slug}` })).status).toBe(400);
  });

  it("is a matter of models, on every road", async () => {
    const slug = await stored();
    const models = [
      { slug: "open", enabled: true },
      { slug: "shut", enabled: false },
    ];
    const tell = (body: object) => member("PUT", `/integrations/${slug}/models`, body);
    await tell({ models });
    const ask = async (model: string, headers = {}, path?: string) =>
      (await chat({ provider: `@${slug}`, ...headers }, { model }, member, path)).status;
    expect([await ask("open"), await ask("other"), await ask("shut")]).toEqual([200, 200, 403]);
    await tell({ models: [], allow_all_models: false });
    expect([await ask("open"), await ask("other"), await ask("shut")]).toEqual([200, 403, 403]);
    const config = (fields: object) => ({ config: JSON.stringify({ provider: `@${slug}`, ...fields }) });
    const roads: [string, () => Promise<number>, number][] = [
      ["an allowed override", () => ask("shut", config({ override_params: { model: "open" } })), 200],
      ["an override that is not", () => ask("open", config({ override_params: { model: "shut" } })), 403],
      ["a model in front", async () => (await chat({}, { model: `@${slug}/shut` })).status, 403],
      ["the proxy", () => ask("open", {}, "/proxy/chat/completions"), 403],
      ["any other path", () => ask("open", {}, "/images/edits"), 403],
      ["a body that is not read", () => ask("open", { "nitro-mode": "true" }), 400],
      ["no model", async () => (await chat({ provider: `@${slug}` }, {})).status, 403],
    ];
    for (const [road, call, status] of roads) expect(await call(), road).toBe(status);
    vendor.received.length = 0;
    expect((await member("GET", "/models", undefined, { "x-gateway-provider": `@${slug}` })).status).toBe(200);
    expect(last()).toMatchObject({ method: "GET", url: "/v1/models" });
    const refused = await chat({ provider: `@${slug}` }, { model: "shut" });
    expect(refused.body).toMatchObject({ status: "failure", error: { code: "model_not_allowed", param: "model" } });
  });
});

describe("secrets that lie elsewhere", () => {
  const mapping = (target_field: string, secret_reference_id: string, more = {}) => ({
    target_field,
    secret_reference_id,
    ...more,
  });

  it.each([false, true])("are filled in when they are needed (fetched: %s)", async (fetched) => {
    opened.secrets(
      { [`vault-${fetched}`]: { key: "sk-of-the-vault", organisation: "org-v", headers: '{"x-own":"yes"}' } },
      fetched,
    );
    const reference = `vault-${fetched}`;
    const slug = await stored({
      key: undefined,
      secret_mappings: [
        mapping("key", reference, { secret_key: "key" }),
        mapping("openai_organization", reference, { secret_key: "organisation" }),
        mapping("configurations.custom_headers", reference, { secret_key: "headers", value_format: "json" }),
      ],
    });
    for (const headers of [{ provider: `@${slug}` }, { config: JSON.stringify({ provider: `@${slug}` }) }]) {
      expect((await chat(headers as Record<string, string>)).status).toBe(200);
      expect(last()?.headers).toMatchObject({
        authorization: "Bearer sk-of-the-vault",
        "openai-organization": "org-v",
        "x-own": "yes",
      });
    }
  });

  it.each([false, true])("that cannot be had fail their target only (fetched: %s)", async (fetched) => {
    const reference = `gone-${fetched}`;
    opened.secrets({ [reference]: "sk-soon-gone" }, fetched);
    const slug = await stored({ key: undefined, secret_mappings: [mapping("key", reference)] });
    opened.secrets({}, fetched);
    const refused = await chat({ provider: `@${slug}` });
    expect(refused).toMatchObject({ status: 500, body: { status: "failure", message: "Unable to resolve secret" } });
    expect(refused.headers.get("x-gateway-gateway-exception")).toBeNull();
    const backup = await stored();
    const targets = [{ provider: `@${slug}` }, { provider: `@${backup}` }];
    expect((await chat({ config: JSON.stringify({ strategy: { mode: "fallback" }, targets }) })).status).toBe(200);
    expect(last()?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it("are asked for again once the vendor has refused them", async () => {
    opened.secrets({ turning: "sk-before-the-turn" }, true);
    const slug = await stored({ key: undefined, secret_mappings: [mapping("key", "turning")] });
    expect((await chat({ provider: `@${slug}` })).status).toBe(200);
    opened.secrets({ turning: "sk-after-the-turn" }, true);
    vendor.refuses.add("sk-before-the-turn");
    const refused = await chat({ provider: `@${slug}` });
    expect(refused.status).toBe(401);
    expect(JSON.stringify(refused.body)).not.toContain("sk-before-the-turn");
    expect((await chat({ provider: `@${slug}` })).status).toBe(200);
    expect(last()?.headers.authorization).toBe("Bearer sk-after-the-turn");
  });

  it("may not lead anywhere an integration may not go", async () => {
    opened.secrets({ away: "http://169.254.169.254/v1" });
    const slug = await stored({ secret_mappings: [mapping("custom_host", "away")] });
    expect(await chat({ provider: `@${slug}` })).toMatchObject({
      status: 403,
      body: { error: { code: "provider_not_available" } },
    });
  });
});

describe("the models a workspace can name", () => {
  const list = async (caller: Caller, query = "", headers: Record<string, string> = {}) => {
    const { status, body } = await caller("GET", `/models${query}`, undefined, headers);
    return status === 200 ? [body.total_count, ...body.data.map(({ id }: { id: string }) => id)] : status;
  };

  it("are listed, sorted, limited, and may be asked for by slug", async () => {
    const { uuid } = (await admin("POST", "/admin/workspaces", { name: "Catalogue" })).body;
    const theirs = opened.as({ workspace: uuid });
    const tell = (slug: string, ...models: string[]) =>
      theirs("PUT", `/integrations/${slug}/models`, {
        models: [...models.map((one) => ({ slug: one, enabled: true })), { slug: "hidden", enabled: false }],
      });
    const one = await stored({}, theirs);
    const two = await stored({ ai_provider_id: "anthropic" }, theirs);
    await tell(one, "b", "c");
    await tell(two, "a");
    const all = [`@${two}/a`, `@${one}/b`, `@${one}/c`];
    expect(await list(theirs)).toEqual([3, ...all]);
    expect(await list(theirs, "?order=desc")).toEqual([3, ...all.toReversed()]);
    expect(await list(theirs, "?sort=ai_service&offset=1&limit=1")).toEqual([3, `@${one}/b`]);
    expect(await list(theirs, "?ai_service=openai")).toEqual([2, `@${one}/b`, `@${one}/c`]);
    expect(await list(theirs, `?provider=${two}`)).toEqual([1, `@${two}/a`]);
    expect(await list(theirs, "?limit=many")).toBe(400);
    const want = { "x-gateway-fetch-integrated-models": "true" };
    expect(await list(theirs, "", { ...want, "x-gateway-provider": `@${two}` })).toEqual([1, `@${two}/a`]);
    const config = (value: object) => ({ "x-gateway-config": JSON.stringify(value) });
    const targets = [{ virtual_key: one }, { provider: "@nobody" }];
    const fallback = { strategy: { mode: "fallback" } };
    expect(await list(theirs, "", { ...want, ...config({ ...fallback, targets }) })).toEqual([
      2,
      `@${one}/b`,
      `@${one}/c`,
    ]);
    expect(await list(theirs, "", config({ ...fallback, targets, fetch_integrated_models: true }))).toEqual([
      2,
      `@${one}/b`,
      `@${one}/c`,
    ]);
    const open = { ...fallback, targets: [{ virtual_key: one }, { passthrough: true }], fetch_integrated_models: true };
    expect(await list(theirs, "", config(open))).toEqual([3, ...all]);
    expect(await list(theirs, "", config({ retry: { attempts: 1 } }))).toEqual([3, ...all]);
    const { body } = await theirs("GET", "/models");
    expect(body.data[0]).toEqual({
      id: `@${two}/a`,
      object: "model",
      created: expect.any(Number),
      owned_by: "anthropic",
      slug: "a",
      canonical_slug: "a",
    });
    expect(await list(opened.as({ workspace: uuid, scopes: ["virtual_keys.list"] }))).toEqual([3, ...all]);
    expect(await list(opened.as({ workspace: uuid, scopes: ["logs.view"] }))).toBe(403);
    expect(vendor.received).toEqual([]);
    expect((await theirs("GET", "/models", undefined, { "x-gateway-provider": `@${one}` })).status).toBe(200);
    expect(last()).toMatchObject({ method: "GET", url: "/v1/models", headers: { authorization: `Bearer ${key}` } });
  });
});

describe("a stored provider whose vendor is gone, as its plugin is no longer loaded,", () => {
  /** One that was made while there was such a vendor. */
  async function ofNobody(): Promise<string> {
    const slug = await stored();
    const { kernel } = opened.gateway.generation;
    const integrations = integrationStore({
      records: kernel.offered(Records) ?? fail(),
      sealing: kernel.offered(Sealing) ?? fail(),
    });
    const { records } = await integrations.select(opened.organisation, {
      filter: ({ document }) => document.slug === slug,
    });
    for (const record of records)
      await integrations.update(record, (document) => ({ ...document, ai_provider_id: "no-longer-there" }));
    return slug;
  }
  const config = (...slugs: string[]) => ({
    config: JSON.stringify({
      strategy: { mode: "fallback" },
      targets: slugs.map((slug) => ({ provider: `@${slug}` })),
    }),
  });

  it.each<[string, (gone: string, well: string) => Parameters<typeof chat>, number]>([
    ["is refused by name", (gone) => [{ provider: `@${gone}` }], 403],
    ["is refused in a config alone", (gone) => [config(gone)], 403],
    ["is passed over by a fallback", (gone, well) => [config(gone, well)], 200],
    ["is passed over as the last resort is not needed", (gone, well) => [config(well, gone)], 200],
    ["is passed over streaming", (gone, well) => [config(gone, well), { model: "gpt-4o", stream: true }], 200],
  ])("%s", async (_, call, status) => {
    const [gone, well] = [await ofNobody(), await stored()];
    const [headers, body = { model: "gpt-4o" }] = call(gone, well);
    const response = await fetch(`${opened.gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-test-principal": JSON.stringify({
          id: "m",
          organisation: opened.organisation,
          workspace: opened.workspace.id,
        }),
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [`x-gateway-${name}`, value])),
      },
      body: JSON.stringify({ messages, ...body }),
    });
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({ status });
    expect(text).toContain(status === 200 ? "Hello." : "no-longer-there");
    expect(vendor.received).toHaveLength(status === 200 ? 1 : 0);
  });
});

it("goes on while the store is gone, without asking it", async () => {
  const mongo = await startMongoServer();
  const records = { use: "records-mongodb", url: mongo.uri, timeout: 2000 };
  const remote = await openIntegrations({ ...dataPath, "records-file": records });
  try {
    const theirs = remote.as({ workspace: remote.workspace.id });
    const slug = await stored({}, theirs);
    const call = () => chat({ provider: `@${slug}` }, undefined, theirs);
    expect((await call()).status).toBe(200);
    await mongo.stop();
    for (let times = 0; times < 3; times++) expect((await call()).status).toBe(200);
    expect(await chat({ provider: "@never-seen" }, undefined, theirs)).toMatchObject({ status: 503 });
    expect((await theirs("GET", "/providers")).status).toBe(503);
  } finally {
    await remote.close();
    await mongo.stop();
  }
}, 30_000);

function fail(): never {
  throw new Error("it is not there");
}
