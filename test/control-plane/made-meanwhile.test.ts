import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beforeWriteTo } from "../support/gated-records.ts";
import { type Caller, newUser, openGated, type TestManagement } from "../support/management.ts";

let management: TestManagement;
let admin: Caller;
let workspace: string;

beforeAll(async () => {
  management = await openGated();
  ({ admin } = management);
  workspace = management.workspace.slug;
});
afterAll(() => management.close());

/** Somebody of the organisation, who may be in the workspace; their id. */
const someone = (role: "admin" | "member", isInside = true): Promise<string> =>
  newUser(admin, isInside ? [{ id: workspace, role: "member" }] : [], role);

const keysOf = async (user: string) =>
  (await admin("GET", "/api-keys?page_size=500")).body.data.filter((key: { user_id: string }) => key.user_id === user);

describe("a key for somebody who leaves at that very moment", () => {
  const inside = (user: string) => `/admin/workspaces/${workspace}/users/${user}`;

  it.each([
    ["is taken out of the workspace", "member", true, (user: string) => admin("DELETE", inside(user))],
    ["is deleted", "member", true, (user: string) => admin("DELETE", `/admin/users/${user}`)],
    [
      "is no admin any more",
      "admin",
      false,
      (user: string) => admin("PUT", `/admin/users/${user}`, { role: "member" }),
    ],
  ] as const)("is not made: who %s", async (_, role, isInside, leave) => {
    const user = await someone(role, isInside);
    const leaving = beforeWriteTo("api_keys", () => leave(user));
    const body = { name: "k", workspace_id: workspace, user_id: user, scopes: ["completions.write"] };
    const made = await admin("POST", "/api-keys/workspace/user", body);
    expect((await leaving).status).toBe(200);
    expect(made).toMatchObject({ status: 404, body: { error: { code: "AB02", param: "user_id" } } });
    expect(await keysOf(user)).toEqual([]);
  });

  it("is not made by itself", async () => {
    expect((await admin("PUT", "/admin/organisation", { settings: { user_api_key_auto_create: true } })).status).toBe(
      200,
    );
    const user = await someone("member", false);
    const leaving = beforeWriteTo("api_keys", () => admin("DELETE", inside(user)));
    await admin("POST", `/admin/workspaces/${workspace}/users`, { users: [{ id: user, role: "member" }] });
    expect((await leaving).status).toBe(200);
    expect((await admin("GET", inside(user))).status).toBe(404);
    expect(await keysOf(user)).toEqual([]);
  });
});

describe("a provider of an integration that is deleted at that very moment", () => {
  const made = async (more: object = {}) => {
    const body = { name: "i", ai_provider_id: "openai", key: "sk-0123456789", create_default_provider: false, ...more };
    return `/integrations/${(await admin("POST", "/integrations", body)).body.id}`;
  };
  const providers = async () => (await admin("GET", `/providers?workspace_id=${workspace}`)).body.data;

  it("is not made where it is asked for", async () => {
    const integration = await made({ workspace_id: workspace });
    const before = await providers();
    const deleting = beforeWriteTo("providers", () => admin("DELETE", integration));
    const integration_id = integration.split("/").at(-1);
    const answered = await admin("POST", "/providers", { name: "p", integration_id, workspace_id: workspace });
    expect((await deleting).status).toBe(200);
    expect(answered).toMatchObject({ status: 404, body: { error: { code: "AB02", param: "integration_id" } } });
    expect(await providers()).toEqual(before);
  });

  it("is not made with a share of it", async () => {
    const integration = await made();
    const before = await providers();
    const deleting = beforeWriteTo("providers", () => admin("DELETE", integration));
    const share = { workspaces: [{ id: workspace, enabled: true }] };
    expect((await admin("PUT", `${integration}/workspaces`, share)).status).toBe(404);
    expect((await deleting).status).toBe(200);
    expect(await providers()).toEqual(before);
  });
});

describe("what is put into a collection that is deleted at that very moment", () => {
  const text = { string: "[]", parameters: {}, virtual_key: "simulator" };
  const collection = async () =>
    (await admin("POST", "/collections", { name: "c", workspace_id: workspace })).body.id as string;
  const usual = async () => {
    const { data } = (await admin("GET", `/collections?workspace_id=${workspace}&page_size=500`)).body;
    return data.find((one: { is_default: boolean }) => one.is_default).id as string;
  };

  it.each([
    ["prompts", "prompts", "/prompts", text, "collection_id"],
    ["partials", "prompt_partials", "/prompts/partials", { string: "Dear" }, "collection_id"],
    ["collections", "collections", "/collections", {}, "parent_collection_id"],
  ] as const)("is in the default one: %s", async (_, kept, path, body, field) => {
    const id = await collection();
    const deleting = beforeWriteTo(kept, () => admin("DELETE", `/collections/${id}`));
    const made = await admin("POST", path, { name: "p", ...body, workspace_id: workspace, [field]: id });
    expect([(await deleting).status, made.status]).toEqual([200, 200]);
    const read = (await admin("GET", `${path}/${made.body.id}`)).body;
    expect(read[field]).toBe(await usual());
  });

  it("is in the default one: a prompt that was elsewhere", async () => {
    const [first, id] = [await collection(), await collection()];
    const prompt = { name: "p", ...text, collection_id: first };
    const of = `/prompts/${(await admin("POST", "/prompts", prompt)).body.id}`;
    const deleting = beforeWriteTo("prompts", () => admin("DELETE", `/collections/${id}`));
    const moved = await admin("PUT", of, { collection_id: id });
    expect([(await deleting).status, moved.status]).toEqual([200, 200]);
    expect((await admin("GET", of)).body.collection_id).toBe(await usual());
  });
});

describe("what is done with several things goes on where one of them is deleted at that very moment", () => {
  const integration = async (more: object = {}) => {
    const body = { name: "i", ai_provider_id: "openai", key: "sk-0123456789", ...more };
    return `/integrations/${(await admin("POST", "/integrations", body)).body.id}`;
  };

  it("keys of somebody who leaves are put away, all of them", async () => {
    const user = await someone("member");
    const body = { name: "k", workspace_id: workspace, user_id: user, scopes: ["completions.write"] };
    for (let made = 0; made < 3; made++) await admin("POST", "/api-keys/workspace/user", body);
    const [first] = await keysOf(user);
    const deleting = beforeWriteTo("api_keys", () => admin("DELETE", `/api-keys/${first.id}`));
    expect((await admin("DELETE", `/admin/users/${user}`)).status).toBe(200);
    expect((await deleting).status).toBe(200);
    expect(await keysOf(user)).toEqual([]);
  });

  it("providers of an integration go with it, all of them", async () => {
    const of = await integration({ workspace_id: workspace });
    const own = { name: "p", integration_id: of.split("/").at(-1), workspace_id: workspace };
    const { id } = (await admin("POST", "/providers", own)).body;
    const deleting = beforeWriteTo("providers", () => admin("DELETE", `/providers/${id}`));
    expect((await admin("DELETE", of)).status).toBe(200);
    expect((await deleting).status).toBe(200);
    const { data } = (await admin("GET", `/providers?workspace_id=${workspace}`)).body;
    expect(data.filter((one: { origin: string }) => one.origin === "store")).toEqual([]);
  });

  it("what is in a collection leaves it, all of it", async () => {
    const { id } = (await admin("POST", "/collections", { name: "c", workspace_id: workspace })).body;
    const prompt = { name: "p", collection_id: id, string: "[]", parameters: {}, virtual_key: "simulator" };
    const prompts = [await admin("POST", "/prompts", prompt), await admin("POST", "/prompts", prompt)];
    const [first, second] = prompts.map(({ body }) => `/prompts/${body.id}`);
    const deleting = beforeWriteTo("prompts", () => admin("DELETE", second ?? ""));
    expect((await admin("DELETE", `/collections/${id}`)).status).toBe(200);
    expect((await deleting).status).toBe(200);
    expect((await admin("GET", first ?? "")).body.collection_id).not.toBe(id);
  });

  it("a config becomes the default of its workspace", async () => {
    const config = { name: "c", workspace_id: workspace, config: { provider: "simulator" }, isDefault: 1 };
    const before = (await admin("POST", "/configs", config)).body.data.id;
    const { id } = (await admin("POST", "/configs", { ...config, isDefault: 0 })).body.data;
    const deleting = beforeWriteTo("configs", () => {
      // Its own write is the first one.
      const next = beforeWriteTo("configs", () => admin("DELETE", `/configs/${before}`));
      return Promise.resolve({ next });
    });
    expect((await admin("PUT", `/configs/${id}`, { isDefault: 1 })).status).toBe(200);
    expect((await (await deleting).next).status).toBe(200);
    expect((await admin("GET", `/configs/${id}`)).body.data.is_default).toBe(1);
  });

  it("what workspaces set for themselves is opened to all that are there", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await admin("POST", "/admin/workspaces", { name: crypto.randomUUID() })).body.slug),
    );
    const newest = (await admin("GET", "/admin/workspaces?page_size=1")).body.data[0].slug;
    const deleting = beforeWriteTo("workspaces", () => admin("DELETE", `/admin/workspaces/${newest}`));
    const open = { workspace_overrides: { logs: true } };
    expect((await admin("PUT", "/admin/organisation", open)).status).toBe(200);
    expect((await deleting).status).toBe(200);
    const left = `/admin/workspaces/${newest === first ? second : first}`;
    expect((await admin("PUT", left, { security_settings: { membersViewLogs: false } })).status).toBe(200);
  });

  it("a workspace is made", async () => {
    const of = await integration();
    const open = { workspaces: [], global_workspace_access: { enabled: true } };
    expect((await admin("PUT", `${of}/workspaces`, open)).status).toBe(200);
    const deleting = beforeWriteTo("integrations", () => admin("DELETE", of));
    const made = await admin("POST", "/admin/workspaces", { name: crypto.randomUUID() });
    expect([made.status, (await deleting).status]).toEqual([200, 200]);
  });
});

describe("somebody who joins a workspace that is deleted at that very moment", () => {
  const scopes = ["completions.write"];
  const places = async () =>
    Promise.all(
      [1, 2].map(async () => (await admin("POST", "/admin/workspaces", { name: crypto.randomUUID() })).body.slug),
    );

  it("is in the organisation, with the other workspaces that the invite is for", async () => {
    const [gone, there] = await places();
    const workspaces = [gone, there].map((id) => ({ id, role: "member" }));
    const email = `${crypto.randomUUID()}@example.org`;
    const body = { email, role: "member", workspaces, workspace_api_key_details: { scopes } };
    const { id, invite_link } = (await admin("POST", "/admin/users/invites", body)).body;
    const deleting = beforeWriteTo("api_keys", () => admin("DELETE", `/admin/workspaces/${gone}`));
    const token = invite_link.split("/invites/")[1];
    const accepted = await admin("POST", `/admin/users/invites/${id}/accept`, { token });
    expect([accepted.status, (await deleting).status]).toEqual([200, 200]);
    expect(accepted.body.api_keys).toMatchObject([{ workspace_id: there }]);
    expect((await admin("GET", `/admin/users/${accepted.body.user_id}`)).body.workspace_ids).toEqual([there]);
  });
});

it.each(["%01", "x".repeat(250), "a%2Fb", "%F0%9F%8E%89"])("there is no member %s", async (user) => {
  const path = `/admin/workspaces/${workspace}/users/${user}`;
  for (const [method, body] of [["GET"], ["DELETE"], ["PUT", { role: "member" }]] as const)
    expect((await admin(method, path, body)).status).toBe(404);
});
