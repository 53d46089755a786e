import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, folderOfFile, openManagement, type TestManagement } from "../../test/support/management.ts";

const leaf = { provider: "@simulator" };
const fallback = { strategy: { mode: "fallback" }, targets: [leaf, { provider: "@simulator", weight: 2 }] };

let management: TestManagement;
let admin: Caller;
let own: Caller;
let workspace: TestManagement["workspace"];

beforeAll(async () => {
  const folder = folderOfFile();
  management = await openManagement(
    {
      routing: { configs: { "from-file": { provider: "@simulator", api_key: "sk-of-the-file" } } },
      "strategy-fallback": {},
      "strategy-conditional": {},
      "format-openai-chat": {},
      neighbours: { use: relative(folder, new URL("testing.ts", import.meta.url).pathname) },
      configs: {},
    },
    { folder, providers: { simulator: {} } },
  );
  ({ admin, workspace } = management);
  own = management.as({ workspace: workspace.id });
});
afterAll(() => management.gateway.shutdown(0, 0));

const make = async (body: object = {}, caller = own) => {
  const { body: answered } = await caller("POST", "/configs", { name: "Night batch", config: leaf, ...body });
  return answered.data as { id: string; version_id: string; slug: string };
};
const read = async (ref: string) => (await own("GET", `/configs/${ref}`)).body.data;
const otherWorkspace = async () => (await admin("POST", "/admin/workspaces", { name: crypto.randomUUID() })).body;

describe("configs", () => {
  // routing-config.md section 2.2
  it.each([
    ["bedrock", { aws_auth_type: "accessKey", aws_access_key_id: "AKID", aws_secret_access_key: "s" }],
    ["sagemaker", { aws_auth_type: "assumedRole", aws_role_arn: "arn:aws:iam::1:role/r" }],
    ["bedrock", { anthropic_version: "bedrock-2023-05-31", anthropic_beta: "b" }],
    ["databricks", { databricks_workspace: "w", anthropic_version: "2023-06-01", anthropic_beta: "b" }],
  ])("of %s are kept with %j", async (provider, fields) => {
    const config = { provider, ...fields };
    const { id } = await make({ config });
    expect(id).toBeTruthy();
  });

  it("are made, read by slug and by id, listed, and deleted for good", async () => {
    const made = await own("POST", "/configs", { name: "Night batch", config: fallback });
    expect(made).toMatchObject({ status: 200, body: { success: true } });
    const { id, slug, version_id } = made.body.data;
    expect(slug).toMatch(/^pc-night-[0-9a-f]{6}$/);
    const summary = {
      id,
      slug,
      name: "Night batch",
      organisation_id: management.organisation,
      workspace_id: workspace.id,
      is_default: 0,
      status: "active",
      owner_id: "tester",
      updated_by: "tester",
      origin: "store",
    };
    for (const ref of [id, slug]) expect(await read(ref)).toMatchObject({ ...summary, version_id, config: fallback });
    const listed = await own("GET", "/configs");
    expect(listed.body.data.find((one: { id: string }) => one.id === id)).toMatchObject(summary);
    expect(listed.body.total).toBe(listed.body.data.length);
    expect(await own("DELETE", `/configs/${slug}`)).toMatchObject({ status: 200, body: {} });
    expect((await own("DELETE", `/v2/configs/${slug}`)).status).toBe(403);
    expect((await own("PUT", `/configs/${id}`, { status: "active" })).status).toBe(403);
  });

  it("have a version for each thing they said, and keep them all", async () => {
    const { slug, version_id: first } = await make();
    const put = async (body: object) => (await own("PUT", `/configs/${slug}`, body)).body.data.version_id as string;
    expect(await put({ name: "Renamed" })).toBe(first);
    expect(await put({ config: { provider: "@simulator" } })).toBe(first);
    const second = await put({ config: JSON.stringify(fallback) });
    const third = await put({ config: leaf });
    expect(new Set([first, second, third]).size).toBe(3);
    const { body } = await own("GET", `/configs/${slug}/versions`);
    expect(body).toMatchObject({ object: "list", total: 3 });
    const rows = body.data.map((row: Record<string, unknown>) => [row.version_id, row.config, row.name]);
    expect(rows).toEqual([
      [third, JSON.stringify(leaf), "Renamed"],
      [second, JSON.stringify(fallback), "Renamed"],
      [first, JSON.stringify(leaf), "Renamed"],
    ]);
    expect(body.data[0]).toMatchObject({ format: "json", type: "ORG_CONFIG", object: "config", slug });
  });

  it("keep the versions of two who write at once in one order", async () => {
    const { slug } = await make();
    const writes = [1, 2, 3].map((weight) => own("PUT", `/configs/${slug}`, { config: { ...leaf, weight } }));
    const made = (await Promise.all(writes)).map(({ body }) => body.data.version_id);
    const { body } = await own("GET", `/configs/${slug}/versions`);
    expect(body.total).toBe(4);
    expect(new Set(body.data.map((row: { version_id: string }) => row.version_id))).toEqual(
      new Set([...made, body.data.at(-1).version_id]),
    );
    expect((await read(slug)).version_id).toBe(body.data[0].version_id);
  });

  it("of several that become the default at the same moment is one", async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => make({ isDefault: 1 })));
    const defaults = async () => {
      const { data } = (await own("GET", "/configs")).body;
      return data.filter(({ is_default }: { is_default: number }) => is_default === 1).length;
    };
    expect(await defaults()).toBe(1);
    await Promise.all(made.map(({ id }) => own("PUT", `/configs/${id}`, { isDefault: 1 })));
    expect(await defaults()).toBe(1);
  });

  it("are archived and revived, and one of a workspace is its default", async () => {
    const [one, two] = [await make({ isDefault: 1 }), await make()];
    const flags = async () => [(await read(one.slug)).is_default, (await read(two.slug)).is_default];
    expect(await flags()).toEqual([1, 0]);
    await own("PUT", `/configs/${two.id}`, { isDefault: 1, status: "archived" });
    expect(await flags()).toEqual([0, 1]);
    expect((await read(two.slug)).status).toBe("archived");
    await own("PUT", `/configs/${two.id}`, { status: "active", isDefault: 0 });
    expect(await flags()).toEqual([0, 0]);
    expect((await read(two.slug)).status).toBe("active");
  });

  it("of the file are listed and read everywhere, and are changed there", async () => {
    const { body } = await own("GET", "/configs");
    expect(body.data.filter(({ origin }: { origin: string }) => origin === "file")).toMatchObject([
      { slug: "from-file", workspace_id: null, is_default: 0 },
    ]);
    expect(await read("from-file")).toMatchObject({
      origin: "file",
      version_id: null,
      config: { provider: "@simulator", api_key: "sk*******le" },
    });
    expect((await own("GET", "/configs/from-file/versions")).body).toMatchObject({ total: 1 });
    for (const [method, body] of [["PUT", { name: "mine" }], ["DELETE"]] as const)
      expect(await own(method, "/configs/from-file", body)).toMatchObject({
        status: 400,
        body: { data: { message: expect.stringContaining("declared in the config file") } },
      });
  });

  it("come whole, or in pages where both are asked for", async () => {
    const caller = management.as({ workspace: (await otherWorkspace()).uuid });
    for (const name of ["a", "b", "c"]) await make({ name }, caller);
    const names = async (query: string) => {
      const { body } = await caller("GET", `/configs${query}`);
      return [body.total, ...body.data.map(({ name }: { name: string }) => name)];
    };
    expect(await names("")).toEqual([4, "from-file", "c", "b", "a"]);
    expect(await names("?page_size=2")).toEqual([4, "from-file", "c", "b", "a"]);
    expect(await names("?page_size=2&current_page=1")).toEqual([4, "b", "a"]);
    expect((await caller("GET", "/configs?page_size=x&current_page=1")).status).toBe(400);
  });

  it("hide credentials, keep what is sent back hidden, and are encrypted in the store", async () => {
    const config = { provider: "openai", api_key: "sk-very-secret-1", override_params: { user: "sk*******-1" } };
    const { slug } = await make({ config });
    const shown = (await read(slug)).config;
    expect(shown).toEqual({ ...config, api_key: "sk*******-1" });
    const { version_id } = await read(slug);
    expect((await own("PUT", `/configs/${slug}`, { config: shown })).body.data.version_id).toBe(version_id);
    const changed = await own("PUT", `/configs/${slug}`, { config: { ...shown, weight: 3 } });
    expect(changed.body.data.version_id).not.toBe(version_id);
    const versions = await own("GET", `/configs/${slug}/versions`);
    expect(JSON.stringify(versions.body)).not.toContain("very-secret");
    const unknown = await own("PUT", `/configs/${slug}`, { config: { ...shown, api_key: "ab*******yz" } });
    expect(unknown).toMatchObject({ status: 400, body: { error: { param: "config.api_key" } } });
    const moved = await own("PUT", `/configs/${slug}`, {
      config: { ...shown, custom_host: "https://other.example.com" },
    });
    expect(moved).toMatchObject({ status: 400, body: { error: { param: "config.api_key" } } });
    expect((await own("POST", "/configs", { name: "copy", config: shown })).status).toBe(400);
    for (const file of ["records.db", "records.db-wal"])
      expect(readFileSync(join(management.folder, ".sluice", file)).includes("very-secret")).toBe(false);
  });

  it("hide the credentials of checks written out in them, and keep what is sent back hidden", async () => {
    const webhook = (headers: unknown) => ({
      "default.webhook": { webhookURL: "https://hooks.example.com", headers },
      deny: true,
    });
    const headers = { authorization: "Bearer very-secret", "x-team": "claims" };
    const hook = { id: "h", checks: [{ id: "default.webhook", parameters: webhook(headers)["default.webhook"] }] };
    const config = {
      provider: "simulator",
      input_guardrails: [
        webhook(JSON.stringify(headers)),
        { ...webhook(headers), credentials: { azure: { apiKey: "very-secret" } } },
      ],
      before_request_hooks: [hook],
    };
    const { slug } = await make({ config });
    const { config: shown, version_id } = await read(slug);
    expect(JSON.stringify(shown)).not.toContain("very-secret");
    expect(JSON.stringify((await own("GET", `/configs/${slug}/versions`)).body)).not.toContain("very-secret");
    expect(shown.input_guardrails[0]["default.webhook"].headers).toEqual({
      authorization: "Be*******et",
      "x-team": "claims",
    });
    expect((await own("PUT", `/configs/${slug}`, { config: shown })).body.data.version_id).toBe(version_id);
    const moved = { ...shown, custom_host: "https://new.example" };
    expect((await own("PUT", `/configs/${slug}`, { config: moved })).status).toBe(200);
  });

  it("hide the account of a service, written as a map and as its text", async () => {
    const account = { client_email: "a@b.example", private_key: "very-secret-key" };
    const config = { provider: "vertex-ai", vertex_region: "us", vertex_service_account_json: account };
    const { slug } = await make({ config });
    const text = { ...config, vertex_service_account_json: JSON.stringify(account) };
    const { slug: other } = await make({ config: text });
    const [{ config: shown }, { config: shownText, version_id }] = [await read(slug), await read(other)];
    expect(shown.vertex_service_account_json).toEqual({ ...account, private_key: "ve*******ey" });
    expect(shownText).toEqual({ ...text, vertex_service_account_json: '{"*******"}' });
    expect((await own("PUT", `/configs/${other}`, { config: shownText })).body.data.version_id).toBe(version_id);
  });

  it("hide the credentials in addresses, and keep what is sent back hidden", async () => {
    const webhookURL = "https://hooks.slack.com/services/T012/B034/very-secret";
    const custom_host = "https://models.example.com/v1?code=very-secret";
    const config = { provider: "simulator", custom_host, input_guardrails: [{ "default.webhook": { webhookURL } }] };
    const { slug } = await make({ config });
    const { config: shown, version_id } = await read(slug);
    expect(shown).toMatchObject({
      custom_host: "https://models.example.com/v1?code=ve*******et",
      input_guardrails: [{ "default.webhook": { webhookURL: "https://hooks.slack.com/services/T0*******et" } }],
    });
    expect(JSON.stringify((await own("GET", `/configs/${slug}/versions`)).body)).not.toContain("very-secret");
    expect((await own("PUT", `/configs/${slug}`, { config: shown })).body.data.version_id).toBe(version_id);
    const moved = { ...shown, custom_host: "https://elsewhere.example.com/v1?code=ve*******et" };
    expect(await own("PUT", `/configs/${slug}`, { config: moved })).toMatchObject({
      status: 400,
      body: { error: { param: "config.custom_host" } },
    });
  });

  it("may name what is there, in the file or in the store", async () => {
    const { slug } = await make({
      config: {
        targets: [
          { provider: "@kept-openai/gpt-4o", openai_organization: "o", input_guardrails: ["pg-kept-000000"] },
          {
            virtual_key: "kept-openai",
            prompt_id: "pp-kept-000000",
            before_request_hooks: [{ id: "own", checks: [] }],
          },
        ],
      },
    });
    expect(slug).toBeDefined();
  });

  it.each<[string, object, string, string]>([
    ["no name", { name: undefined }, "AB01", "name"],
    ["a name that is too long", { name: "x".repeat(256) }, "AB01", "name"],
    ["no config", { config: undefined }, "AB01", "config"],
    ["a config that is no object", { config: [leaf] }, "AB01", "config"],
    ["a text that is no JSON", { config: "{provider: openai}" }, "AB01", "config"],
    ["a flag that is none", { isDefault: 2 }, "AB01", "isDefault"],
    ["an unknown workspace", { workspace_id: "ws-none-000000" }, "AB02", "workspace_id"],
    ["no workspace", { workspace_id: undefined }, "AB01", "workspace_id"],
    ["an unknown key", { config: { ...leaf, unheard: 1 } }, "AB01", "config.unheard"],
    ["an unknown key inside", { config: { ...fallback, targets: [{ ...leaf, x: 1 }] } }, "AB01", "config.targets[0].x"],
    ["an unknown mode", { config: { strategy: { mode: "x" }, targets: [leaf] } }, "AB01", "config.strategy.mode"],
    ["a config that says nothing", { config: {} }, "AB01", "config"],
    ["the retired format", { config: { options: [] } }, "AB01", "config.options"],
    ["too many targets", { config: { targets: Array(101).fill(leaf) } }, "AB01", "config.targets"],
    ["a target that is not there", conditional("x"), "AB01", "config.strategy.conditions[0].then"],
    ["an unknown provider", { config: { provider: "@none" } }, "AB01", "config.provider"],
    [
      "an unknown key of one",
      { config: { targets: [leaf, { virtual_key: "none" }] } },
      "AB01",
      "config.targets[1].virtual_key",
    ],
    [
      "one before a model",
      { config: { override_params: { model: "@none/m" } } },
      "AB01",
      "config.override_params.model",
    ],
    [
      "an unknown guardrail",
      { config: { ...leaf, output_guardrails: ["pg-x"] } },
      "AB01",
      "config.output_guardrails[0]",
    ],
    [
      "a hook of nothing",
      { config: { ...leaf, beforeRequestHooks: [{ id: "pg-x" }] } },
      "AB01",
      "config.beforeRequestHooks[0].id",
    ],
    ["an unknown prompt", { config: { prompt_id: "pp-x" } }, "AB01", "config.prompt_id"],
    [
      "a private host",
      { config: { provider: "openai", custom_host: "http://10.0.0.1" } },
      "AB01",
      "config.custom_host",
    ],
    ["what only exhausts", { config: { override_params: deep(80) } }, "AB01", "config"],
  ])("refuses %s", async (_, change, code, param) => {
    const body = { name: "a", config: leaf, workspace_id: workspace.slug, ...change };
    const refused = await admin("POST", "/configs", body);
    expect(refused.body.error).toMatchObject({ code, param });
    expect(refused.status).toBe(code === "AB02" ? 404 : 400);
  });

  it("tells every mistake at once", async () => {
    const config = { ...fallback, retries: 1, targets: [{ provider: "@none", weight: -1 }] };
    const { body } = await own("POST", "/configs", { name: "a", config });
    expect(body.errors).toEqual([
      "path: config.retries, message: is not known",
      "path: config.targets[0].weight, message: must be 0 or more",
    ]);
    expect(body.message ?? body.error.message).toContain(
      "config.targets[0].weight: must be 0 or more; found the number -1",
    );
  });

  it("tells them where they stand as it was written", async () => {
    const camel = {
      requestTimeout: 0,
      strategy: { mode: "fallback", onStatus: [1] },
      targets: [{ virtualKey: "a", cacheMode: 1 }],
    };
    expect((await own("POST", "/configs", { name: "a", config: camel })).body.errors).toEqual([
      "path: config.requestTimeout, message: must be more than 0",
      "path: config.targets[0].cacheMode, message: is not known",
      'path: config.strategy.onStatus, message: is not known; did you mean "on_status_codes"?',
    ]);
    const missing = { config: { targets: [{ virtualKey: "none" }] } };
    expect((await own("POST", "/configs", { name: "a", ...missing })).body.error).toMatchObject({
      param: "config.targets[0].virtualKey",
    });
  });

  it("belong to a workspace, and ask for the scope of each verb", async () => {
    const { slug } = await make();
    const stranger = management.as({ workspace: (await otherWorkspace()).uuid });
    const abroad = management.as({ organisation: "22222222-2222-4222-8222-222222222222" });
    for (const caller of [stranger, abroad]) {
      for (const [method, path] of [
        ["GET", ""],
        ["PUT", ""],
        ["DELETE", ""],
        ["GET", "/versions"],
      ] as const) {
        const refused = await caller(method, `/configs/${slug}${path}`, method === "PUT" ? { name: "x" } : undefined);
        expect(refused).toMatchObject({ status: 403, body: { error: { code: "AB03" } } });
      }
      expect(JSON.stringify((await caller("GET", "/configs")).body)).not.toContain(slug);
    }
    expect((await stranger("POST", "/configs", { name: "a", config: leaf, workspace_id: workspace.id })).status).toBe(
      403,
    );
    const calls: [string, string, string, object?][] = [
      ["configs.list", "GET", "/configs"],
      ["configs.read", "GET", `/configs/${slug}`],
      ["configs.read", "GET", `/configs/${slug}/versions`],
      ["configs.create", "POST", "/configs", { name: "b", config: leaf }],
      ["configs.update", "PUT", `/configs/${slug}`, {}],
      ["configs.delete", "DELETE", `/configs/${slug}`],
    ];
    const all = new Set(calls.map(([scope]) => scope));
    for (const [scope, method, path, body] of calls) {
      const without = management.as({ workspace: workspace.id, scopes: [...all].filter((one) => one !== scope) });
      expect((await without(method, path, body)).status).toBe(403);
      const holder = management.as({ workspace: workspace.id, scopes: [scope] });
      expect((await holder(method, path, body)).status).toBe(200);
    }
  });

  it("stay while their workspace gives them to its keys, and keep their workspace", async () => {
    const { id, slug } = await make();
    const defaults = (user_api_key_config: string | null) =>
      admin("PUT", `/admin/workspaces/${workspace.id}`, { defaults: { user_api_key_config } });
    for (const ref of [id, slug]) {
      await defaults(ref);
      const { body } = await admin("GET", `/admin/workspaces/${workspace.id}`);
      expect(body.defaults.user_api_key_config).toBe(slug);
      const refused = await own("DELETE", `/configs/${slug}`);
      expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining("First") } } });
    }
    await defaults(null);
    expect((await own("DELETE", `/configs/${slug}`)).status).toBe(200);
    await make();
    const kept = await admin("DELETE", `/admin/workspaces/${workspace.id}`);
    expect(kept).toMatchObject({ status: 400, body: { error: { message: expect.stringMatching(/\d+ configs/) } } });
  });
});

function conditional(target: string) {
  const strategy = `{"mode":"conditional","conditions":[{"query":{"a":1},"then":"${target}"}],"default":"${target}"}`;
  return { config: `{"strategy":${strategy},"targets":[${JSON.stringify(leaf)}]}` };
}

function deep(levels: number): unknown {
  return levels === 0 ? 1 : { a: deep(levels - 1) };
}
