import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiKeys, grantableScopes } from "../../core/index.ts";
import {
  type Answered,
  type Caller,
  openManagement,
  supportPlugin,
  type TestManagement,
  testOrganisation,
} from "../../test/support/management.ts";

const user = "aaaaaaaa-0000-4000-8000-000000000001";
const config = "cccccccc-0000-4000-8000-000000000001";
const nobody = "99999999-9999-4999-8999-999999999999";
const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-keys-")));

let management: TestManagement;
let admin: Caller;
let other: { readonly uuid: string; readonly slug: string };

beforeAll(async () => {
  management = await openManagement(
    {
      "api-keys": { prefix: "sl_", bootstrapKey: "the-first-key-of-a-test", userKeys: { limit: 2, maxDays: 90 } },
      "auth-keys": { keys: [{ name: "of-the-file", key: "a-key-of-the-config-file" }] },
      people: {
        ...supportPlugin(folder, "people"),
        users: { [user]: "iris@example.org" },
        configs: { [config]: "pc-night-000001" },
      },
      whoami: supportPlugin(folder, "whoami"),
    },
    { folder },
  );
  admin = management.admin;
  other = (await admin("POST", "/admin/workspaces", { name: "Other" })).body;
});
afterAll(async () => {
  await management.gateway.shutdown(0, 0);
  rmSync(folder, { recursive: true, force: true });
});

const create = (kind: string, body: object, caller = admin): Promise<Answered> =>
  caller("POST", `/api-keys/${kind}`, body);

const draft = (more: object = {}) => ({
  name: "claims-backend",
  workspace_id: management.workspace.slug,
  scopes: ["completions.write"],
  ...more,
});

/** Makes a key of a workspace; its id and its value. */
async function made(more: object = {}, kind = "workspace/service"): Promise<{ id: string; key: string }> {
  const { status, body } = await create(kind, draft(more));
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Calls with a key, instead of a test's word. */
const asHolder =
  (key: string): Caller =>
  (method, path, body) =>
    management.as({})(method, path, body, { "x-test-principal": "", "x-gateway-api-key": key });

const whoami = (key: string) => asHolder(key)("GET", "/whoami/completions.write");

describe("API keys", () => {
  it("are made with everything they can have, read, and never shown again", async () => {
    const body = draft({
      description: "of the claims team",
      rate_limits: [{ type: "requests", unit: "rpm", value: 60 }],
      usage_limits: { type: "cost", credit_limit: 50, alert_threshold: 40, periodic_reset: "weekly" },
      defaults: { config_id: config, metadata: { team: "claims" }, allow_config_override: false },
      scopes: ["completions:write", "gateway.prompts.render", "completions.write"],
      alert_emails: ["a@example.org"],
      rotation_policy: { rotation_period: "monthly", key_transition_period_ms: 86_400_000 },
    });
    const { status, body: issued } = await create("workspace/service", body);
    expect({ status, issued }).toEqual({
      status: 200,
      issued: { id: expect.any(String), key: expect.stringMatching(/^sl_[\w-]{43}$/), object: "api-key" },
    });
    const read = (await admin("GET", `/api-keys/${issued.id}`)).body;
    expect(read).toMatchObject({
      id: issued.id,
      key: `sl*******${issued.key.slice(-2)}`,
      type: "workspace-service",
      organisation_id: testOrganisation,
      workspace_id: management.workspace.slug,
      user_id: null,
      status: "active",
      creation_mode: "api",
      scopes: ["completions.write", "prompts.render"],
      rate_limits: [{ type: "requests", unit: "rpm", value: 60 }],
      usage_limits: { credit_limit: 50, periodic_reset: "weekly" },
      reset_usage: 0,
      defaults: { config_id: "pc-night-000001", metadata: { team: "claims" }, allow_config_override: false },
      rotation_policy: { rotation_period: "monthly", status: "ACTIVE", key_transition_period_ms: 86_400_000 },
      last_rotated_at: null,
      expires_at: null,
      object: "api-key",
      origin: "store",
    });
    expect(read.rotation_policy.next_rotation_at).toMatch(/-01T00:00:00\.000Z$/);
    expect(JSON.stringify(read)).not.toContain(issued.key);
  });

  it("let in: with their organisation, workspace, scopes, metadata, config and limits", async () => {
    const { body: workspace } = await admin("POST", "/admin/workspaces", {
      name: "With metadata",
      defaults: { metadata: { team: "of the workspace", cost_centre: "4410" } },
    });
    const { id, key } = await made({
      workspace_id: workspace.uuid,
      defaults: { config_id: "pc-night-000001", metadata: { team: "of the key", tier: "gold" } },
      rate_limits: { type: "tokens", unit: "rph", value: 5 },
      usage_limits: [{ credit_limit: 7 }],
    });
    expect((await whoami(key)).body).toMatchObject({
      id,
      name: "claims-backend",
      organisation: testOrganisation,
      workspace: workspace.uuid,
      scopes: ["completions.write"],
      metadata: { team: "of the workspace", tier: "gold", cost_centre: "4410" },
      defaultConfig: { slug: "pc-night-000001", mayReplace: true },
      limits: { rate: [{ type: "tokens", unit: "rph", value: 5 }], usage: [{ credit_limit: 7, type: "cost" }] },
    });
    await admin("PUT", `/admin/workspaces/${workspace.slug}`, { defaults: { metadata: { team: "another" } } });
    await expect.poll(async () => (await whoami(key)).body.metadata.team).toBe("another");
    expect(await asHolder(key)("GET", "/whoami/prompts.render")).toMatchObject({
      status: 403,
      body: { data: { errorCode: "AB03", message: expect.stringContaining("prompts.render") } },
    });
  });

  it("of people say who asks, unless the request does", async () => {
    const { key } = await made(
      { user_id: user, expires_at: new Date(Date.now() + 86_400_000).toISOString() },
      "workspace/user",
    );
    const ask = (headers: Record<string, string>) =>
      management.as({})("GET", "/whoami/completions.write", undefined, { "x-test-principal": "", ...headers });
    expect((await ask({ authorization: `Bearer ${key}` })).body).toMatchObject({
      user,
      metadata: { _user: "iris@example.org" },
      credentialHeaders: ["authorization"],
    });
    const told = { "x-gateway-api-key": key, "x-gateway-metadata": '{"_user":"u-1"}' };
    expect((await ask(told)).body.metadata).toEqual({ _user: "u-1" });
  });

  it("change, and what has not changed stays", async () => {
    const { id, key } = await made({ description: "d", defaults: { metadata: { a: "1" } } });
    const put = async (body: object) => (await admin("PUT", `/api-keys/${id}`, body)).status;
    expect(await admin("PUT", `/api-keys/${id}`, { name: "n", rate_limits: [] })).toMatchObject({
      status: 200,
      body: {},
    });
    expect(await put({})).toBe(200);
    const read = async () => (await admin("GET", `/api-keys/${id}`)).body;
    expect(await read()).toMatchObject({ name: "n", description: "d", defaults: { metadata: { a: "1" } } });
    expect(await put({ description: null, defaults: { allow_config_override: false }, reset_usage: true })).toBe(200);
    expect(await read()).toMatchObject({
      description: null,
      defaults: { metadata: null, config_id: null, allow_config_override: false },
      last_reset_at: expect.any(String),
    });
    await expect.poll(async () => (await whoami(key)).body.defaultConfig).toEqual({ mayReplace: false });
    expect(await put({ rotation_policy: { rotation_period_days: 3 } })).toBe(200);
    expect(await put({ rotation_policy: null, scopes: ["prompts.render"] })).toBe(200);
    expect(await read()).toMatchObject({ rotation_policy: null, scopes: ["prompts.render"] });
    await expect.poll(async () => (await whoami(key)).status).toBe(403);
  });

  it("are refused from their deletion on", async () => {
    const { id, key } = await made();
    expect((await whoami(key)).status).toBe(200);
    expect(await admin("DELETE", `/api-keys/${id}`)).toMatchObject({ status: 200, body: {} });
    expect(await whoami(key)).toMatchObject({ status: 401, body: { error: { code: "invalid_api_key" } } });
    for (const method of ["GET", "DELETE"])
      expect(await admin(method, `/api-keys/${id}`)).toMatchObject({ status: 403, body: { error: { code: "AB03" } } });
  });

  it("are rotated: both secrets are good, a third one is refused", async () => {
    const { id, key } = await made({ rotation_policy: { rotation_period: "weekly" } });
    const { status, body } = await admin("POST", `/api-keys/${id}/rotate`, { key_transition_period_ms: 3_600_000 });
    expect({ status, body }).toEqual({
      status: 200,
      body: { id, key: expect.stringMatching(/^sl_/), key_transition_expires_at: expect.any(String) },
    });
    const left = Date.parse(body.key_transition_expires_at) - Date.now();
    expect(left).toBeGreaterThan(3_590_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
    for (const one of [key, body.key]) expect((await whoami(one)).body).toMatchObject({ id });
    expect((await admin("GET", `/api-keys/${id}`)).body).toMatchObject({
      key: `sl*******${body.key.slice(-2)}`,
      last_rotated_at: expect.any(String),
    });
    expect(await admin("POST", `/api-keys/${id}/rotate`)).toMatchObject({
      status: 409,
      body: { data: { errorCode: "AB07" } },
    });
    for (const one of [key, body.key]) expect((await whoami(one)).status).toBe(200);
    expect((await admin("DELETE", `/api-keys/${id}`)).status).toBe(200);
    for (const one of [key, body.key]) expect((await whoami(one)).status).toBe(401);
  });

  it("of the organisation manage, and call no models", async () => {
    const { body } = await create("organisation/service", { name: "boss", scopes: ["workspaces.list", "logs.list"] });
    const boss = asHolder(body.key);
    expect((await boss("GET", "/admin/workspaces")).status).toBe(200);
    expect((await boss("POST", "/admin/workspaces", { name: "x" })).status).toBe(403);
    expect(await whoami(body.key)).toMatchObject({ status: 403, body: { error: { code: "AB03" } } });
  });

  it("keep what needs them from being deleted, and are kept by nothing", async () => {
    const { body: workspace } = await admin("POST", "/admin/workspaces", { name: "Needed" });
    const { id } = await made({ workspace_id: workspace.slug });
    const remove = () => admin("DELETE", `/admin/workspaces/${workspace.slug}`);
    expect(await remove()).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("1 API key") } },
    });
    expect((await admin("DELETE", `/api-keys/${id}`)).status).toBe(200);
    expect((await remove()).status).toBe(200);
  });

  it("keep their workspace no longer than they let in", async () => {
    const { body: workspace } = await admin("POST", "/admin/workspaces", { name: "Over" });
    const expires_at = new Date(Date.now() + 600).toISOString();
    const { id } = await made({ workspace_id: workspace.slug, expires_at });
    await expect
      .poll(async () => (await admin("GET", `/api-keys/${id}`)).body.status, { interval: 10, timeout: 5_000 })
      .toBe("expired");
    expect((await admin("DELETE", `/admin/workspaces/${workspace.slug}`)).status).toBe(200);
  });

  it("are made and archived by others on the gateway's own account", async () => {
    const { body: workspace } = await admin("POST", "/admin/workspaces", { name: "Invited" });
    const keys = management.gateway.generation.kernel.offered(ApiKeys);
    const person = { organisation: testOrganisation, workspace: workspace.uuid, user };
    const issued = await keys?.userKey({ ...person, name: "of iris", scopes: ["completions.write"] });
    expect((await whoami(issued?.key ?? "")).body).toMatchObject({ user, workspace: workspace.uuid });
    expect((await admin("GET", `/api-keys/${issued?.id}`)).body).toMatchObject({ creation_mode: "auto" });
    await keys?.archive(person);
    expect((await whoami(issued?.key ?? "")).status).toBe(401);
  });
});

describe("refused", () => {
  const long = "x".repeat(256);
  it.each<[string, string, object, number, string, string]>([
    ["a kind there is not", "organisation/user", {}, 400, "AB01", "type"],
    ["no name", "workspace/service", { name: undefined }, 400, "AB01", "name"],
    ["a long name", "workspace/service", { name: long }, 400, "AB01", "name"],
    ["a long description", "workspace/service", { description: "x".repeat(1025) }, 400, "AB01", "description"],
    ["no workspace", "workspace/service", { workspace_id: undefined }, 400, "AB01", "workspace_id"],
    ["an unknown workspace", "workspace/service", { workspace_id: "ws-none-000000" }, 404, "AB02", "workspace_id"],
    ["another organisation", "workspace/service", { organisation_id: nobody }, 403, "AB03", "organisation_id"],
    ["no scopes", "workspace/service", { scopes: undefined }, 400, "AB01", "scopes"],
    ["no scope at all", "workspace/service", { scopes: [] }, 400, "AB01", "scopes"],
    ["a scope there is not", "workspace/service", { scopes: ["completions.read"] }, 400, "AB01", "scopes[0]"],
    ["a scope of another kind", "workspace/service", { scopes: ["audit_logs.list"] }, 400, "AB01", "scopes[0]"],
    ["inference for an organisation", "organisation/service", {}, 400, "AB01", "scopes[0]"],
    [
      "a config for an organisation",
      "organisation/service",
      { scopes: ["logs.list"], defaults: { config_id: config } },
      400,
      "AB01",
      "defaults.config_id",
    ],
    ["no person", "workspace/user", {}, 400, "AB01", "user_id"],
    ["an unknown person", "workspace/user", { user_id: nobody }, 404, "AB02", "user_id"],
    [
      "keys to manage keys for a person",
      "workspace/user",
      { user_id: user, scopes: ["workspace_user_api_keys.create"] },
      400,
      "AB01",
      "scopes[0]",
    ],
    [
      "a person's key that lives too long",
      "workspace/user",
      { user_id: user, expires_at: "2099-01-01" },
      400,
      "AB01",
      "expires_at",
    ],
    [
      "an unknown config",
      "workspace/service",
      { defaults: { config_id: "pc-none" } },
      404,
      "AB02",
      "defaults.config_id",
    ],
    [
      "metadata that is too long",
      "workspace/service",
      { defaults: { metadata: { a: "x".repeat(129) } } },
      400,
      "AB01",
      "defaults.metadata.a",
    ],
    [
      "metadata that is no text",
      "workspace/service",
      { defaults: { metadata: { a: 5 } } },
      400,
      "AB01",
      "defaults.metadata.a",
    ],
    ["an expiry that is over", "workspace/service", { expires_at: "2020-01-01T00:00:00Z" }, 400, "AB01", "expires_at"],
    ["an expiry that is no date", "workspace/service", { expires_at: "soon" }, 400, "AB01", "expires_at"],
    ["an address that is none", "workspace/service", { alert_emails: ["iris"] }, 400, "AB01", "alert_emails[0]"],
    [
      "too many addresses",
      "workspace/service",
      { alert_emails: Array(51).fill("a@b.org") },
      400,
      "AB01",
      "alert_emails",
    ],
    [
      "two budgets",
      "workspace/service",
      { usage_limits: [{ credit_limit: 1 }, { credit_limit: 2 }] },
      400,
      "AB01",
      "usage_limits",
    ],
    [
      "two limits of a kind",
      "workspace/service",
      {
        rate_limits: [
          { type: "tokens", unit: "rpm", value: 1 },
          { type: "tokens", unit: "rpm", value: 2 },
        ],
      },
      400,
      "AB01",
      "rate_limits[1]",
    ],
    [
      "a short transition",
      "workspace/service",
      { rotation_policy: { rotation_period: "weekly", key_transition_period_ms: 1000 } },
      400,
      "AB01",
      "rotation_policy.key_transition_period_ms",
    ],
    [
      "a transition as long as the period",
      "workspace/service",
      { rotation_policy: { rotation_period_days: 1, key_transition_period_ms: 86_400_000 } },
      400,
      "AB01",
      "rotation_policy.key_transition_period_ms",
    ],
    [
      "a policy that says nothing",
      "workspace/service",
      { rotation_policy: {} },
      400,
      "AB01",
      "rotation_policy.rotation_period",
    ],
  ])("is %s", async (_, kind, more, status, code, param) => {
    const refused = await create(kind, draft(more));
    expect(refused).toMatchObject({ status, body: { data: { errorCode: code }, error: { code } } });
    expect(refused.body.error.param).toBe(param);
  });

  it("is one key of people too many", async () => {
    const { body: workspace } = await admin("POST", "/admin/workspaces", { name: "Crowded" });
    const more = { user_id: user, workspace_id: workspace.slug };
    for (let count = 0; count < 2; count++) await made(more, "workspace/user");
    expect(await create("workspace/user", draft(more))).toMatchObject({
      status: 400,
      body: { error: { param: "user_id" } },
    });
  });

  it.each<[string, object, number, string | null]>([
    ["a name that is null", { name: null }, 400, "name"],
    ["another person", { user_id: nobody }, 400, "user_id"],
    ["a scope of another kind", { scopes: ["workspaces.create"] }, 400, "scopes[0]"],
    ["an expiry that is over", { expires_at: "2020-01-01" }, 400, "expires_at"],
    ["an unknown config", { defaults: { config_id: nobody } }, 404, "defaults.config_id"],
    [
      "a reset of the budget that was",
      { usage_limits: { credit_limit: 5, next_usage_reset_at: "2020-01-01" } },
      400,
      "usage_limits.next_usage_reset_at",
    ],
  ])("is a change to %s", async (_, body, status, param) => {
    const { id } = await made();
    const refused = await admin("PUT", `/api-keys/${id}`, body);
    expect({ status: refused.status, param: refused.body.error.param }).toEqual({ status, param });
  });

  it.each<[string, object, string]>([
    ["too short a transition", { key_transition_period_ms: 1 }, "key_transition_period_ms"],
    ["one as long as the period", { key_transition_period_ms: 7 * 86_400_000 }, "key_transition_period_ms"],
  ])("is a rotation with %s", async (_, body, param) => {
    const { id, key } = await made({ rotation_policy: { rotation_period: "weekly" } });
    const refused = await admin("POST", `/api-keys/${id}/rotate`, body);
    expect({ status: refused.status, param: refused.body.error.param }).toEqual({ status: 400, param });
    expect((await whoami(key)).status).toBe(200);
  });
});

const families = ["organisation_service_api_keys", "workspace_service_api_keys", "workspace_user_api_keys"];
const kinds = ["organisation/service", "workspace/service", "workspace/user"];

describe("who may", () => {
  /** What each verb does to a key, and what it needs. */
  const verbs: Record<string, (caller: Caller, kind: string, id: string) => Promise<Answered>> = {
    create: (caller, kind) => create(kind, bodyOf(kind), caller),
    read: (caller, _, id) => caller("GET", `/api-keys/${id}`),
    update: (caller, _, id) => caller("PUT", `/api-keys/${id}`, {}),
    rotate: (caller, _, id) => caller("POST", `/api-keys/${id}/rotate`),
    delete: (caller, _, id) => caller("DELETE", `/api-keys/${id}`),
  };
  const bodyOf = (kind: string) =>
    draft(kind === "organisation/service" ? { scopes: ["logs.list"] } : { user_id: user, workspace_id: other.slug });
  const table = kinds.flatMap((kind, at) =>
    Object.keys(verbs).map((verb) => [verb, kind, `${families[at]}.${verb}`] as const),
  );

  it.each(table)("%s a key of %s: %s, and nothing else", async (verb, kind, scope) => {
    const { body: there } = await admin("GET", `/api-keys?workspace_id=${other.uuid}`);
    // Keys of people are few here: the limit is another test's.
    for (const { id, type } of there.data) if (type === "workspace-user") await admin("DELETE", `/api-keys/${id}`);
    const { body } = await create(kind, bodyOf(kind));
    const run = verbs[verb];
    const neighbours = families.flatMap((one) => Object.keys(verbs).map((each) => `${one}.${each}`));
    const without = neighbours.filter((one) => one !== scope);
    expect(await run?.(management.as({ scopes: without }), kind, body.id)).toMatchObject({
      status: 403,
      body: { data: { errorCode: "AB03" } },
    });
    expect((await run?.(management.as({ scopes: [scope] }), kind, body.id))?.status).toBe(200);
  });

  it("list: the families it may see, in its own workspace, by id, in pages", async () => {
    const { body: workspace } = await admin("POST", "/admin/workspaces", { name: "Listed" });
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.push((await made({ workspace_id: workspace.slug, name })).id);
    ids.push((await made({ workspace_id: workspace.slug, name: "d", user_id: user }, "workspace/user")).id);
    const names = async (caller: Caller, query: string) => {
      const { status, body } = await caller("GET", `/api-keys${query}`);
      if (status !== 200) return [status];
      return [status, body.total, ...body.data.map(({ name }: { name: string }) => name)];
    };
    const inWorkspace = `?workspace_id=${workspace.slug}`;
    expect(await names(admin, inWorkspace)).toEqual([200, 4, "d", "c", "b", "a"]);
    expect(await names(admin, `${inWorkspace}&page_size=2&current_page=1`)).toEqual([200, 4, "b", "a"]);
    expect(await names(admin, `?ids=${ids[0]},${ids[3]},${nobody}`)).toEqual([200, 2, "d", "a"]);
    const own = management.as({ workspace: workspace.uuid });
    expect(await names(own, "")).toEqual([200, 4, "d", "c", "b", "a"]);
    expect(await names(own, `?workspace_id=${other.slug}`)).toEqual([403]);
    const some = management.as({ workspace: workspace.uuid, scopes: ["workspace_user_api_keys.list"] });
    expect(await names(some, "")).toEqual([200, 1, "d"]);
    expect(await names(management.as({ scopes: ["workspaces.list"] }), "")).toEqual([403]);
  });

  it("see nothing of other workspaces and organisations", async () => {
    const { id } = await made();
    const strangers = [
      management.as({ workspace: other.uuid }),
      management.as({ organisation: "22222222-2222-4222-8222-222222222222" }),
    ];
    for (const stranger of strangers)
      for (const [method, path] of [
        ["GET", ""],
        ["PUT", ""],
        ["DELETE", ""],
        ["POST", "/rotate"],
      ] as const)
        expect(await stranger(method, `/api-keys/${id}${path}`, method === "PUT" ? {} : undefined)).toMatchObject({
          status: 403,
          body: { error: { code: "AB03" } },
        });
    expect((await admin("GET", `/api-keys/${nobody}`)).status).toBe(403);
    const foreign = await create("workspace/service", draft(), management.as({ workspace: other.uuid }));
    expect(foreign).toMatchObject({ status: 403, body: { error: { param: "workspace_id" } } });
  });

  it("grant, with a key of a workspace, what it holds itself and no more", async () => {
    const scopes = ["workspace_service_api_keys.create", "workspace_service_api_keys.update", "logs.list"];
    const { key } = await made({ scopes });
    const holder = asHolder(key);
    const granting = (granted: string[]) => create("workspace/service", { name: "n", scopes: granted }, holder);
    const { status, body } = await granting(["logs.list"]);
    expect(status).toBe(200);
    expect(await granting(["logs.view"])).toMatchObject({ status: 403, body: { error: { param: "scopes" } } });
    const put = async (granted: string[]) => (await holder("PUT", `/api-keys/${body.id}`, { scopes: granted })).status;
    expect(await put(["logs.view"])).toBe(403);
    await admin("PUT", `/api-keys/${body.id}`, { scopes: ["logs.list", "logs.view"] });
    expect(await put(["logs.view"])).toBe(200);
    const organisation = await create(
      "organisation/service",
      { name: "n", scopes: ["logs.list"] },
      management.as({ workspace: other.uuid }),
    );
    expect(organisation.status).toBe(403);
  });

  it("rotate, with a key of a workspace, keys that hold no more than it does", async () => {
    const { id: own, key } = await made({ scopes: ["workspace_service_api_keys.rotate", "logs.list"] });
    const holder = asHolder(key);
    const rotated = async (id: string, caller = holder) => caller("POST", `/api-keys/${id}/rotate`);
    const { id: lesser } = await made({ scopes: ["logs.list"] });
    const { id: greater, key: kept } = await made({ scopes: ["logs.list", "completions.write"] });
    expect((await rotated(lesser)).status).toBe(200);
    const refused = await rotated(greater);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "AB03" } } });
    expect(refused.body.error.message).toContain('"completions.write"');
    expect((await whoami(kept)).status).toBe(200);
    expect((await rotated(own)).status).toBe(200);
    // A key of the organisation may make any key, and so have the value of any.
    const scopes = ["workspace_service_api_keys.rotate"];
    expect((await rotated(greater, management.as({ scopes }))).status).toBe(200);
  });

  it("hold every scope its kind can have", async () => {
    for (const [kind, holder] of [
      ["workspace/service", "workspace-service"],
      ["organisation/service", "organisation-service"],
    ] as const) {
      const { status } = await create(kind, draft({ scopes: [...grantableScopes(holder)] }));
      expect(status).toBe(200);
    }
  });
});

describe("keys of the config file", () => {
  it("let in, and are listed read only", async () => {
    expect((await whoami("a-key-of-the-config-file")).body).toMatchObject({ id: "key:of-the-file" });
    const { body } = await admin("GET", "/api-keys?page_size=500");
    const [listed] = body.data.filter(({ origin }: { origin: string }) => origin === "file");
    expect(listed).toMatchObject({ name: "of-the-file", key: "a-*******le", type: "workspace-service" });
    expect((await admin("GET", `/api-keys/${listed.id}`)).body).toMatchObject({ origin: "file" });
    for (const [method, path] of [
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/rotate"],
    ] as const)
      expect(await admin(method, `/api-keys/${listed.id}${path}`, {})).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining("config file") } },
      });
    expect((await whoami("a-key-of-the-config-file")).status).toBe(200);
  });
});
