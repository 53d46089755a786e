import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Organisations } from "../../core/index.ts";
import { type Caller, openManagement, type TestManagement } from "../../test/support/management.ts";

let management: TestManagement;
let admin: Caller;

beforeAll(async () => {
  management = await openManagement();
  admin = management.admin;
});
afterAll(() => management.close());

describe("the settings of an organisation", () => {
  it("are merged group by group, with their defaults", async () => {
    const put = (settings: object) => admin("PUT", "/admin/organisation", { name: "Brook & Sons", settings });
    expect((await put({ security_settings: { membersWritePrompts: true } })).body).toEqual({});
    expect(
      (await put({ security_settings: { membersViewConfigs: false }, user_api_key_rotation_period: "weekly" })).status,
    ).toBe(200);
    const { body } = await admin("GET", "/admin/organisation");
    expect(body).toMatchObject({
      id: management.organisation,
      name: "Brook & Sons",
      settings: {
        security_settings: { membersWritePrompts: true, membersViewConfigs: false, membersViewPrompts: true },
        user_api_key_rotation_period: 7,
      },
    });
  });

  it.each<[string, object, string]>([
    ["a toggle nobody knows", { security_settings: { everybodyMayEverything: true } }, "security_settings"],
    [
      "a schema of numbers",
      {
        workspace_metadata_schema: {
          type: "object",
          additionalProperties: true,
          properties: { a: { type: "number" } },
        },
      },
      "workspace_metadata_schema",
    ],
    [
      "a schema that is closed",
      { api_key_metadata_schema: { type: "object", additionalProperties: false } },
      "additionalProperties",
    ],
    [
      "a schema with a pattern that is none",
      {
        api_key_metadata_schema: {
          type: "object",
          additionalProperties: true,
          properties: { a: { type: "string", pattern: "(" } },
        },
      },
      "settings.api_key_metadata_schema",
    ],
    [
      "a schema that refers to nothing",
      { workspace_metadata_schema: { type: "object", additionalProperties: true, allOf: [{ $ref: "#/nothing" }] } },
      "settings.workspace_metadata_schema",
    ],
    [
      "a default that its own property refuses",
      {
        api_key_metadata_schema: {
          type: "object",
          additionalProperties: true,
          required: ["b"],
          properties: { "a/b": { type: "string", enum: ["x", "y"], default: "z" }, b: { type: "string" } },
        },
      },
      "settings.api_key_metadata_schema.properties.a/b.default",
    ],
    ["a private key", { jwt: { jwks: { keys: [{ kty: "RSA", n: "n", e: "e", d: "secret" }] } } }, "jwks.keys[0]"],
    ["a key set that is nowhere to fetch", { jwt: { jwks_url: "ftp://keys.example.org/set" } }, "jwt.jwks_url"],
    ["a field that exports always have", { export_settings: { deniedFields: ["mode"] } }, "deniedFields[0]"],
    ["a field that exports never have", { export_settings: { deniedFields: ["prompt"] } }, "deniedFields[0]"],
    ["a period without an end", { user_api_key_rotation_period: 0 }, "user_api_key_rotation_period"],
  ])("refuse %s", async (_, settings, param) => {
    const refused = await admin("PUT", "/admin/organisation", { settings });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: "AB01" } } });
    expect(refused.body.error.param).toContain(param);
    expect(JSON.stringify(refused.body)).not.toContain("secret");
  });

  it("are a workspace's own where they are opened, and until they are closed", async () => {
    const path = `/admin/workspaces/${management.workspace.slug}`;
    const own = { security_settings: { membersViewAllData: false } };
    expect(await admin("PUT", path, own)).toMatchObject({
      status: 400,
      body: { error: { param: "security_settings.membersViewAllData" } },
    });
    expect((await admin("PUT", path, { request_logging: { mode: "metrics_only" } })).status).toBe(400);
    await admin("PUT", "/admin/organisation", { workspace_overrides: { data_visibility: true } });
    expect((await admin("PUT", path, own)).status).toBe(200);
    await admin("PUT", "/admin/organisation", { workspace_overrides: { data_visibility: false } });
    expect((await admin("PUT", path, own)).status).toBe(400);
  });

  it("leave only what was saved to route where the organisation or the workspace says so", async () => {
    const path = `/admin/workspaces/${management.workspace.slug}`;
    const organisation = (block_inline_config: boolean) =>
      admin("PUT", "/admin/organisation", { settings: { data_plane_security_settings: { block_inline_config } } });
    const workspace = (data_plane_security_settings: object) => admin("PUT", path, { data_plane_security_settings });
    const facts = management.gateway.generation.kernel.offered(Organisations);
    const blocked = async () => [
      (await facts?.settings(management.organisation))?.blockInlineConfig,
      (await facts?.settings(management.organisation, management.workspace.id))?.blockInlineConfig,
    ];
    await organisation(false);
    expect(await blocked()).toEqual([false, false]);
    expect((await admin("GET", path)).body.data_plane_security_settings).toEqual({});
    expect(await workspace({ block_inline_config: true })).toMatchObject({ status: 200, body: {} });
    await workspace({});
    expect(await blocked()).toEqual([false, true]);
    expect((await admin("GET", path)).body.data_plane_security_settings).toEqual({ block_inline_config: true });
    await organisation(true);
    await workspace({ block_inline_config: false });
    expect(await blocked()).toEqual([true, true]);
    expect(await workspace({ block_inline_configs: true })).toMatchObject({ status: 400 });
  });

  it("open the logging to workspaces under either of its names, with what is set beside it", async () => {
    const put = (body: object) => admin("PUT", "/admin/organisation", body);
    const inWorkspace = (request_logging: object) =>
      admin("PUT", `/admin/workspaces/${management.workspace.slug}`, { request_logging });
    const shown = async () => {
      const { settings, workspace_overrides } = (await admin("GET", "/admin/organisation")).body;
      return [settings.request_logging.allow_workspace_override, workspace_overrides.request_logging];
    };
    const facts = management.gateway.generation.kernel.offered(Organisations);
    const logging = async () => (await facts?.settings(management.organisation, management.workspace.id))?.logging;
    await put({ settings: { request_logging: { mode: "metrics_only", allow_workspace_override: true } } });
    expect(await shown()).toEqual([true, true]);
    await put({ settings: { request_logging: { mode: "full" } } });
    expect(await logging()).toBe("metrics_only");
    expect((await inWorkspace({ mode: "full" })).status).toBe(200);
    await put({ workspace_overrides: { request_logging: false } });
    expect(await shown()).toEqual([false, false]);
    expect((await inWorkspace({ mode: "full" })).status).toBe(400);
    const both = { settings: { request_logging: { allow_workspace_override: true } } };
    expect(await put({ ...both, workspace_overrides: { request_logging: false } })).toMatchObject({
      status: 400,
      body: { error: { param: "settings.request_logging.allow_workspace_override" } },
    });
    expect((await put({ ...both, workspace_overrides: { request_logging: true } })).status).toBe(200);
    expect(await shown()).toEqual([true, true]);
  });

  it("say what the metadata of workspaces must be", async () => {
    const schema = {
      type: "object",
      additionalProperties: true,
      required: ["cost_centre"],
      properties: { cost_centre: { type: "string", pattern: "^\\d{4}$" }, region: { type: "string", default: "eu" } },
    };
    await admin("PUT", "/admin/organisation", { settings: { workspace_metadata_schema: schema } });
    const made = (metadata: object) =>
      admin("POST", "/admin/workspaces", { name: `w${Math.random()}`, defaults: { metadata } });
    expect(await made({ cost_centre: "x" })).toMatchObject({
      status: 400,
      body: { error: { param: "defaults.metadata" } },
    });
    expect((await made({})).body.error.message).toContain("cost_centre");
    expect((await made({ cost_centre: "4410" })).body.defaults.metadata).toEqual({ cost_centre: "4410", region: "eu" });
    // One that was there before is held to it with its next change, whatever changes.
    const path = `/admin/workspaces/${management.workspace.slug}`;
    expect((await admin("GET", path)).status).toBe(200);
    expect((await admin("PUT", path, { description: "d" })).body.error.message).toContain("cost_centre");
    const fitting = { description: "d", defaults: { metadata: { cost_centre: "4411" } } };
    expect((await admin("PUT", path, fitting)).status).toBe(200);
    expect((await admin("PUT", path, { description: "e" })).status).toBe(200);
    expect((await admin("GET", path)).body.defaults.metadata).toEqual({ cost_centre: "4411", region: "eu" });
    // What is wrong where nothing led when it was saved is told, and is no failure of the gateway's.
    const deep = { if: { maxProperties: 1 }, else: { properties: { a: { pattern: "(" } } }, ...schema, required: [] };
    expect((await admin("PUT", "/admin/organisation", { settings: { workspace_metadata_schema: deep } })).status).toBe(
      200,
    );
    expect(await made({ a: "x" })).toMatchObject({ status: 400, body: { error: { param: "defaults.metadata" } } });
    await admin("PUT", "/admin/organisation", { settings: { workspace_metadata_schema: null } });
  });

  it("leave workspaces out of guardrails", async () => {
    const path = "/workspace-exclusions/input-guardrails";
    const { slug } = management.workspace;
    expect((await admin("PUT", path, { workspaces: [{ workspace_id: slug, excluded: true }] })).body).toEqual({});
    expect((await admin("GET", path)).body).toEqual({ data: [{ workspace_id: slug }], total: 1 });
    expect((await admin("GET", "/workspace-exclusions/output-guardrails")).body.total).toBe(0);
    await admin("PUT", path, { workspaces: [], override_existing: true });
    expect((await admin("GET", path)).body.total).toBe(0);
    expect(
      (await admin("PUT", path, { workspaces: [{ workspace_id: "ws-none", excluded: true }] })).body.error.code,
    ).toBe("AB02");
    expect(
      (await admin("PUT", "/admin/organisation/defaults", { input_guardrails: ["pg-none"] })).body.error.param,
    ).toBe("input_guardrails[0]");
    expect((await admin("GET", "/admin/organisation/defaults")).body).toEqual({
      input_guardrails: [],
      output_guardrails: [],
    });
  });
});

describe("SCIM mappings", () => {
  it("give a group one role", async () => {
    const { slug } = management.workspace;
    const post = (body: object) => admin("POST", "/scim/workspaces", body);
    const made = await post({ scim_group_name: "Engineers", workspace_id: slug, role: "Member" });
    expect(made.body).toMatchObject({ workspace_id: slug, scim_group: "Engineers", role: "member" });
    const { id, scim_group_id } = made.body;
    expect((await post({ scim_group_id, workspace_id: slug, role: "member" })).body.id).toBe(id);
    expect((await post({ scim_group_id, workspace_id: slug, role: "admin" })).status).toBe(400);
    expect((await post({ workspace_id: slug, role: "admin" })).status).toBe(400);
    expect((await post({ scim_group_name: "ws-Claims-role-admin", workspace_id: slug, role: "admin" })).status).toBe(
      400,
    );
    expect((await admin("GET", `/scim/workspaces?workspaceId=${slug}`)).body).toMatchObject({
      total_count: 1,
      mappings: [{ id }],
    });
    expect(await admin("GET", "/scim/workspaces?workspace_id=ws-nobody")).toMatchObject({
      status: 404,
      body: { error: { code: "AB02", param: "workspace_id" } },
    });
    expect((await admin("GET", "/scim/groups?search=engi")).body.groups).toEqual([
      { id: scim_group_id, display_name: "Engineers" },
    ]);
    expect((await admin("DELETE", `/scim/workspaces/${id}`)).body).toEqual({ success: true });
    expect((await admin("DELETE", `/scim/workspaces/${id}`)).status).toBe(404);
    expect((await post({ scim_group_id, workspace_id: slug, role: "member" })).status).toBe(200);
  });

  it("that are asked for at the same moment are of one group, which has one role", async () => {
    const { slug } = management.workspace;
    const post = (body: object) => admin("POST", "/scim/workspaces", { workspace_id: slug, role: "member", ...body });
    const same = await Promise.all([1, 2, 3, 4].map(() => post({ scim_group_name: "Writers" })));
    expect(new Set(same.map(({ body }) => body.id)).size).toBe(1);
    const { uuid } = (await admin("POST", "/admin/workspaces", { name: "Writers" })).body;
    const apart = await Promise.all([slug, uuid].map((id) => post({ scim_group_name: "Readers", workspace_id: id })));
    expect(new Set(apart.map(({ body }) => body.scim_group_id)).size).toBe(1);
    await Promise.all(["admin", "member"].map((role) => post({ scim_group_name: "Owners", role })));
    const { groups } = (await admin("GET", "/scim/groups?search=owners")).body;
    expect(groups).toHaveLength(1);
    const { mappings } = (await admin("GET", `/scim/workspaces?scim_group_id=${groups[0].id}`)).body;
    expect(mappings).toHaveLength(1);
  });
});

it("credentials in the addresses of its settings are shown hidden, and kept when they are sent back so", async () => {
  const jwks_url = "https://keys.example.org/set?code=very-secret&v=1";
  const path = "/admin/organisation";
  expect((await admin("PUT", path, { settings: { jwt: { jwks_url } } })).status).toBe(200);
  const shown = async () => (await admin("GET", path)).body.settings;
  const { jwt } = await shown();
  expect(jwt.jwks_url).toBe("https://keys.example.org/set?code=ve*******et&v=1");
  expect((await admin("PUT", path, { settings: { jwt } })).status).toBe(200);
  const organisations = management.gateway.generation.kernel.offered(Organisations);
  const facts = await organisations?.settings(management.organisation);
  expect(facts?.jwt.url).toBe(jwks_url);
  const moved = { jwt: { jwks_url: jwt.jwks_url.replace("keys.", "elsewhere.") } };
  expect(await admin("PUT", path, { settings: moved })).toMatchObject({
    status: 400,
    body: { error: { code: "AB01", param: "settings.jwt.jwks_url" } },
  });
  expect((await admin("PUT", path, { settings: { jwt: { jwks_url: null } } })).status).toBe(200);
  expect((await shown()).jwt.jwks_url).toBeNull();
});
