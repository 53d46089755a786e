import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Answered,
  type Caller,
  folderOfFile,
  openManagement,
  supportPlugin,
} from "../../test/support/management.ts";

const day = 24 * 60 * 60_000;
let admin: Caller;
let as: (principal: object) => Caller;
let close: () => Promise<void>;
let whoami: (key: string) => Promise<Answered>;

beforeAll(async () => {
  const folder = folderOfFile();
  const management = await openManagement(
    {
      "api-keys": { userKeys: { maxDays: 90, limit: 3 } },
      whoami: supportPlugin(folder, "whoami"),
    },
    { folder },
  );
  ({ admin, close } = management);
  as = management.as;
  whoami = (key) =>
    admin("GET", "/whoami/completions.write", undefined, { "x-test-principal": "", "x-gateway-api-key": key });
});
afterAll(() => close());

let count = 0;

/** Somebody of an organisation with a workspace of their own, and what was decided there. */
async function decided(settings: object, own?: { readonly open: object; readonly settings: object }) {
  const organisation = `${String(++count).padStart(8, "0")}-1111-4111-8111-111111111111`;
  const call = as({ organisation });
  const workspace = (await call("POST", "/admin/workspaces", { name: "One" })).body;
  await call("PUT", "/admin/organisation", { settings });
  if (own) {
    await call("PUT", "/admin/organisation", { workspace_overrides: own.open });
    expect((await call("PUT", `/admin/workspaces/${workspace.slug}`, own.settings)).status).toBe(200);
  }
  const invite = (more: object = {}) => ({
    email: `p${++count}@example.org`,
    role: "member",
    workspaces: [{ id: workspace.slug, role: "member" }],
    ...more,
  });
  const join = async (more: object = {}) => {
    const body = invite(more);
    const { id, invite_link } = (await call("POST", "/admin/users/invites", body)).body;
    const token = invite_link.split("/invites/")[1];
    const { status, body: accepted } = await call("POST", `/admin/users/invites/${id}/accept`, { token });
    expect(status, JSON.stringify(accepted)).toBe(200);
    return { email: body.email, ...accepted } as {
      email: string;
      user_id: string;
      api_keys: { id: string; key: string; workspace_id: string }[];
    };
  };
  const create = (user_id: string | undefined, more: object = {}) =>
    call("POST", `/api-keys/workspace/${user_id ? "user" : "service"}`, {
      name: "k",
      workspace_id: workspace.slug,
      scopes: ["completions.write"],
      ...(user_id && { user_id }),
      ...more,
    });
  const read = async (id: string) => (await call("GET", `/api-keys/${id}`)).body;
  const keys = async () => (await call("GET", "/api-keys")).body.data;
  return { call, workspace, join, create, read, keys };
}

const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
const daysLeft = (expires: string | null) =>
  expires === null ? null : Math.round((Date.parse(expires) - Date.now()) / day);

describe("keys of people keep to what was decided:", () => {
  const opened = { user_api_key_ttl: true, user_api_key_rotation_period: true };
  it.each<
    [string, object, Parameters<typeof decided>[1], object, number | [days: number | null, rotation: number | null]]
  >([
    ["nothing, so to the file", {}, undefined, {}, [90, null]],
    ["nothing, and more than the file allows", {}, undefined, { expires_at: inDays(91) }, 400],
    ["the default of the organisation", { user_api_key_ttl: { default_days: 7 } }, undefined, {}, [7, null]],
    [
      "the most of the organisation, over that of the file",
      { user_api_key_ttl: { max_days: 200 } },
      undefined,
      { expires_at: inDays(199) },
      [199, null],
    ],
    ["less than the file allows", { user_api_key_ttl: { max_days: 10 } }, undefined, { expires_at: inDays(11) }, 400],
    ["a default beyond the most of the file", { user_api_key_ttl: { default_days: 300 } }, undefined, {}, [90, null]],
    ["a cadence", { user_api_key_rotation_period: "weekly" }, undefined, {}, [90, 7]],
    [
      "a cadence, and none is asked for",
      { user_api_key_rotation_period: 30 },
      undefined,
      { rotation_policy: null },
      400,
    ],
    [
      "a cadence, and another is asked for",
      { user_api_key_rotation_period: 30 },
      undefined,
      { rotation_policy: { rotation_period_days: 31 } },
      400,
    ],
    [
      "their workspace's own life",
      { user_api_key_ttl: { max_days: 10 } },
      { open: opened, settings: { user_api_key_ttl: { default_days: 20, max_days: 30 } } },
      {},
      [20, null],
    ],
    [
      "their workspace's own cadence",
      { user_api_key_rotation_period: 30 },
      { open: opened, settings: { user_api_key_rotation_period: "weekly" } },
      {},
      [90, 7],
    ],
  ])("%s", async (_, settings, own, body, expected) => {
    const { join, create, read } = await decided(settings, own);
    const { user_id } = await join();
    const made = await create(user_id, body);
    if (typeof expected === "number")
      return expect(made).toMatchObject({ status: expected, body: { error: { code: "AB01" } } });
    const { expires_at, rotation_policy } = await read(made.body.id);
    expect([daysLeft(expires_at), rotation_policy?.rotation_period_days ?? null]).toEqual(expected);
  });

  it("none of it binds services, and the most there may be is the organisation's", async () => {
    const { join, create } = await decided({ user_api_key_ttl: { max_days: 10 }, user_api_key_limit: 1 });
    const { user_id } = await join();
    expect((await create(undefined, { expires_at: inDays(500) })).status).toBe(200);
    expect((await create(user_id)).status).toBe(200);
    expect(await create(user_id)).toMatchObject({ status: 400, body: { error: { param: "user_id" } } });
  });

  it("the most there may be holds for keys that are asked for at the same time", async () => {
    const { call, join, create } = await decided({ user_api_key_limit: 3 });
    const { user_id } = await join();
    const made = await Promise.all(Array.from({ length: 8 }, () => create(user_id)));
    expect(made.filter(({ status }) => status === 200)).toHaveLength(3);
    const { data } = (await call("GET", "/api-keys")).body;
    const ids = data
      .filter(({ type }: { type: string }) => type === "workspace-user")
      .map(({ id }: { id: string }) => id);
    expect(ids.sort()).toEqual(made.flatMap(({ body }) => body.id ?? []).sort());
    await call("PUT", "/admin/organisation", { settings: { user_api_key_limit: 4 } });
    const more = await Promise.all(Array.from({ length: 3 }, () => create(user_id)));
    expect(more.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it("the most there may be holds for keys that come back, and these may be changed when there is a place", async () => {
    const { call, join, create, read } = await decided({ user_api_key_limit: 1 });
    const { user_id } = await join();
    const brief = (await create(user_id, { expires_at: new Date(Date.now() + 100).toISOString() })).body.id;
    await expect.poll(async () => (await read(brief)).status, { interval: 10 }).toBe("expired");
    const { id } = (await create(user_id)).body;
    const revive = (expires_at: string | null) => call("PUT", `/api-keys/${brief}`, { expires_at });
    for (const expires_at of [inDays(5), null])
      expect(await revive(expires_at)).toMatchObject({
        status: 400,
        body: { error: { code: "AB01", param: "expires_at" } },
      });
    expect((await call("PUT", `/api-keys/${brief}`, { name: "still over" })).status).toBe(200);
    expect((await call("PUT", `/api-keys/${id}`, { expires_at: inDays(5) })).status).toBe(200);
    await call("DELETE", `/api-keys/${id}`);
    expect((await revive(inDays(5))).status).toBe(200);
    expect((await create(user_id)).status).toBe(400);
  });

  it("changes keep to it as well", async () => {
    const { call, join, create } = await decided({ user_api_key_ttl: { max_days: 10 } });
    const { id } = (await create((await join()).user_id)).body;
    const put = async (body: object) => (await call("PUT", `/api-keys/${id}`, body)).status;
    expect([
      await put({ expires_at: inDays(11) }),
      await put({ expires_at: null }),
      await put({ expires_at: inDays(9) }),
    ]).toEqual([400, 400, 200]);
  });
});

describe("the metadata of keys", () => {
  const schema = {
    type: "object",
    additionalProperties: true,
    required: ["cost_centre"],
    properties: { cost_centre: { type: "string", pattern: "^\\d{4}$" }, region: { type: "string", default: "eu" } },
  };

  it.each<[string, object | undefined, object | string]>([
    ["fits, with defaults", { cost_centre: "4410" }, { cost_centre: "4410", region: "eu" }],
    [
      "wins over defaults, and may hold more",
      { cost_centre: "4410", region: "us", more: "m" },
      { cost_centre: "4410", region: "us", more: "m" },
    ],
    ["lacks what is required", {}, "cost_centre"],
    ["is not there at all", undefined, "cost_centre"],
    ["is wrong", { cost_centre: "x" }, "cost_centre"],
  ])("%s", async (_, metadata, expected) => {
    const { create, read } = await decided({ api_key_metadata_schema: schema });
    const made = await create(undefined, metadata && { defaults: { metadata } });
    if (typeof expected !== "string") return expect((await read(made.body.id)).defaults.metadata).toEqual(expected);
    expect(made).toMatchObject({ status: 400, body: { error: { code: "AB01", param: "defaults.metadata" } } });
    expect(made.body.error.message).toContain(expected);
  });

  it("is looked at with every change, and never before one", async () => {
    const { call, create, read } = await decided({});
    const { id } = (await create(undefined, { defaults: { metadata: { team: "t" } } })).body;
    const put = (body: object) => call("PUT", `/api-keys/${id}`, body);
    await call("PUT", "/admin/organisation", { settings: { api_key_metadata_schema: schema } });
    expect((await read(id)).defaults.metadata).toEqual({ team: "t" });
    expect((await put({ name: "renamed" })).body.error).toMatchObject({ param: "defaults.metadata" });
    expect((await put({ defaults: { metadata: { cost_centre: "1" } } })).status).toBe(400);
    expect((await put({ name: "renamed", defaults: { metadata: { cost_centre: "1234" } } })).status).toBe(200);
    expect((await put({ description: "d" })).status).toBe(200);
    expect(await read(id)).toMatchObject({
      name: "renamed",
      defaults: { metadata: { cost_centre: "1234", region: "eu" } },
    });
  });

  it("that somebody changes is not lost to who changes something else at the same moment", async () => {
    const { call, create, read } = await decided({ api_key_metadata_schema: schema });
    for (let times = 0; times < 10; times++) {
      const { id } = (await create(undefined, { defaults: { metadata: { cost_centre: "1234" } } })).body;
      const put = (body: object) => call("PUT", `/api-keys/${id}`, body);
      await Promise.all([
        put({ defaults: { metadata: { cost_centre: "4410", team: "t" } } }),
        put({ name: "renamed" }),
      ]);
      expect(await read(id)).toMatchObject({
        name: "renamed",
        defaults: { metadata: { cost_centre: "4410", team: "t", region: "eu" } },
      });
    }
  });
});

describe("new members", () => {
  const promised = { workspace_api_key_details: { scopes: ["completions.write"] } };

  it("get the key that their invite promises, which lets them in", async () => {
    const { join, workspace, read } = await decided({
      user_api_key_ttl: { default_days: 5 },
      api_key_metadata_schema: {
        type: "object",
        additionalProperties: true,
        required: ["team"],
        properties: { region: { type: "string", default: "eu" } },
      },
    });
    const { email, user_id, api_keys } = await join(promised);
    expect(api_keys).toEqual([{ workspace_id: workspace.slug, id: expect.any(String), key: expect.any(String) }]);
    const [{ id, key } = { id: "", key: "" }] = api_keys;
    expect(await whoami(key)).toMatchObject({
      status: 200,
      body: { workspace: workspace.uuid, metadata: { _user: email, region: "eu" }, scopes: ["completions.write"] },
    });
    const shown = await read(id);
    expect(shown).toMatchObject({ type: "workspace-user", user_id, creation_mode: "auto" });
    expect(daysLeft(shown.expires_at)).toBe(5);
  });

  it.each<[string, object, (joined: Awaited<ReturnType<typeof decided>>) => Promise<unknown>, number]>([
    ["nothing where nothing was decided", {}, ({ join }) => join(), 0],
    ["one where every member does", { user_api_key_auto_create: true }, ({ join }) => join(), 1],
    ["only the promised one, where there is one", { user_api_key_auto_create: true }, ({ join }) => join(promised), 1],
    [
      "one when they are added later",
      { user_api_key_auto_create: true },
      async ({ call, join, workspace }) => {
        const { user_id } = await join({ workspaces: [] });
        return call("POST", `/admin/workspaces/${workspace.slug}/users`, { users: [{ id: user_id, role: "member" }] });
      },
      1,
    ],
    [
      "none beyond the most there may be, and are members nevertheless",
      { user_api_key_auto_create: true, user_api_key_limit: 1 },
      async ({ call, join, workspace }) => {
        await join();
        await join();
        const { body } = await call("GET", `/admin/workspaces/${workspace.slug}/users`);
        expect(body.total).toBe(2);
      },
      1,
    ],
  ])("get %s", async (_, settings, joins, wanted) => {
    const made = await decided(settings);
    await joins(made);
    expect(await made.keys()).toHaveLength(wanted);
  });

  it("lose their keys when they leave", async () => {
    const { call, join, workspace } = await decided({});
    const { user_id, api_keys } = await join(promised);
    expect((await whoami(api_keys[0]?.key ?? "")).status).toBe(200);
    expect((await call("DELETE", `/admin/workspaces/${workspace.slug}/users/${user_id}`)).status).toBe(200);
    await expect.poll(async () => (await whoami(api_keys[0]?.key ?? "")).status, { interval: 10 }).toBe(401);
  });

  it("of who is no admin of the organisation any more are lost where they do not belong", async () => {
    const { call, join, workspace, create } = await decided({});
    const other = (await call("POST", "/admin/workspaces", { name: "Two" })).body.slug;
    const { user_id } = await join({ role: "admin" });
    const [here, there] = [await create(user_id), await create(user_id, { workspace_id: other })];
    const letIn = async () => [(await whoami(here.body.key)).status, (await whoami(there.body.key)).status];
    expect(await letIn()).toEqual([200, 200]);
    expect((await call("PUT", `/admin/users/${user_id}`, { role: "member" })).status).toBe(200);
    await expect.poll(letIn, { interval: 10 }).toEqual([200, 401]);
    expect((await create(user_id, { workspace_id: other })).body.error.code).toBe("AB02");
    expect((await call("GET", `/admin/users/${user_id}`)).body.workspace_ids).toEqual([workspace.slug]);
  });
});
