import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, openManagement, startManagement, type TestManagement } from "../../test/support/management.ts";

let management: TestManagement;
let admin: Caller;
let other: string;

beforeAll(async () => {
  management = await openManagement();
  admin = management.admin;
  other = (await admin("POST", "/admin/workspaces", { name: "Other" })).body.slug;
});
afterAll(() => management.close());

/** Invites somebody, and lets them accept. */
async function joined(email: string, workspaces: unknown[] = [], role = "member"): Promise<string> {
  const { id, invite_link } = (await admin("POST", "/admin/users/invites", { email, role, workspaces })).body;
  const token = invite_link.split("/invites/")[1];
  const accepted = await admin("POST", `/admin/users/invites/${id}/accept`, { token, first_name: "Iris" });
  expect(accepted.status).toBe(200);
  return accepted.body.user_id;
}

it("somebody who is taken out of a workspace while their role changes is out of it", async () => {
  const user = await joined("leaving@example.org", [{ id: other, role: "member" }]);
  const path = `/admin/workspaces/${other}/users/${user}`;
  const [left, changed] = await Promise.all([admin("DELETE", path), admin("PUT", path, { role: "admin" })]);
  expect(left.status).toBe(200);
  expect([200, 404]).toContain(changed.status);
  expect((await admin("GET", path)).status).toBe(404);
});

describe("invites", () => {
  it("become users and members when they are accepted, once", async () => {
    const workspaces = [{ id: other, role: "manager" }];
    const made = await admin("POST", "/admin/users/invites", { email: "Iris@Example.org", role: "member", workspaces });
    expect(made).toMatchObject({ status: 200, body: { id: expect.any(String) } });
    const { id, invite_link } = made.body;
    expect(await admin("GET", `/admin/users/invites/${id}`)).toMatchObject({
      body: {
        email: "iris@example.org",
        status: "pending",
        accepted_at: null,
        workspaces: [{ workspace_id: other, role: "manager" }],
      },
    });
    const token = invite_link.split("/invites/")[1];
    const stranger = (body: object) =>
      fetch(`${management.gateway.url}/v1/admin/users/invites/${id}/accept`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect((await stranger({ token: `${token.slice(0, -1)}x` })).status).toBe(401);
    const both = await Promise.all([stranger({ token }), stranger({ token })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const { body: users } = await admin("GET", "/admin/users?email=iris@example.org");
    expect(users).toMatchObject({ total: 1, data: [{ object: "user", role: "member", workspace_ids: [other] }] });
    expect((await admin("GET", `/admin/workspaces/${other}/users`)).body.data).toMatchObject([
      { email: "iris@example.org", role: "manager", org_role: "member" },
    ]);
    expect((await admin("POST", `/admin/users/invites/${id}/resend`)).status).toBe(400);
    expect(
      (await admin("POST", "/admin/users/invites", { email: "iris@example.org", role: "member", workspaces: [] }))
        .status,
    ).toBe(409);
  });

  it("are accepted or taken back, not both", async () => {
    const { admin: call } = await startManagement();
    for (let ticks = 0; ticks < 30; ticks++) {
      const body = { email: `either${ticks}@example.org`, role: "member", workspaces: [] };
      const { id, invite_link } = (await call("POST", "/admin/users/invites", body)).body;
      const path = `/admin/users/invites/${id}`;
      const accepting = call("POST", `${path}/accept`, { token: invite_link.split("/invites/")[1] });
      for (let tick = 0; tick < ticks; tick++) await new Promise(setImmediate);
      const [accepted, deleted] = await Promise.all([accepting, call("DELETE", path), call("POST", `${path}/resend`)]);
      const joined = accepted.status === 200;
      expect(deleted.status).toBe(joined ? 400 : 200);
      expect((await call("GET", path)).body.status).toBe(joined ? "accepted" : "cancelled");
      expect((await call("GET", `/admin/users?email=${body.email}`)).body.total).toBe(joined ? 1 : 0);
    }
  });

  it("name each workspace once", async () => {
    const { uuid } = (await admin("GET", `/admin/workspaces/${other}`)).body;
    const workspaces = [
      { id: other, role: "member" },
      { id: uuid, role: "admin" },
    ];
    const body = { email: "twice@example.org", role: "member", workspaces };
    expect(await admin("POST", "/admin/users/invites", body)).toMatchObject({
      status: 400,
      body: { error: { code: "AB01", param: "workspaces[1].id" } },
    });
  });

  it("are replaced by a newer link, and taken back", async () => {
    const email = "late@example.org";
    const { id, invite_link } = (await admin("POST", "/admin/users/invites", { email, role: "admin", workspaces: [] }))
      .body;
    const again = (await admin("POST", `/admin/users/invites/${id}/resend`)).body.inviteLink;
    expect(again).not.toBe(invite_link);
    const accept = (link: string) =>
      admin("POST", `/admin/users/invites/${id}/accept`, { token: link.split("/invites/")[1] });
    expect((await accept(invite_link)).status).toBe(401);
    expect((await admin("DELETE", `/admin/users/invites/${id}`)).status).toBe(200);
    expect((await accept(again)).status).toBe(400);
    expect((await admin("GET", "/admin/users/invites?status=cancelled")).body.total).toBe(1);
  });

  it.each<[string, object, number, string]>([
    ["no e-mail", { role: "member", workspaces: [] }, 400, "AB01"],
    ["what is no e-mail", { email: "iris", role: "member", workspaces: [] }, 400, "AB01"],
    ["an owner", { email: "a@example.org", role: "owner", workspaces: [] }, 400, "AB01"],
    [
      "an unknown workspace",
      { email: "a@example.org", role: "member", workspaces: [{ id: "ws-x", role: "member" }] },
      404,
      "AB02",
    ],
    [
      "keys with a scope that keys of people may not hold",
      {
        email: "a@example.org",
        role: "member",
        workspaces: [],
        workspace_api_key_details: { scopes: ["audit_logs.list"] },
      },
      400,
      "AB01",
    ],
  ])("are not made for %s", async (_, body, status, code) => {
    expect(await admin("POST", "/admin/users/invites", body)).toMatchObject({ status, body: { error: { code } } });
  });

  it("are one for an address, whoever asks at the same time, and what was accepted is not taken back", async () => {
    const email = "twice@example.org";
    const ask = () => admin("POST", "/admin/users/invites", { email, role: "member", workspaces: [] });
    const made = await Promise.all(Array.from({ length: 5 }, ask));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const { id, invite_link } = made.find(({ status }) => status === 200)?.body ?? {};
    expect((await admin("DELETE", `/admin/users/invites/${id}`)).status).toBe(200);
    const again = (await ask()).body;
    const tokenOf = (link: string) => ({ token: link.split("/invites/")[1] });
    const accept = (one: string, link: string) => admin("POST", `/admin/users/invites/${one}/accept`, tokenOf(link));
    expect((await accept(id, invite_link)).status).toBe(400);
    const [first, ...others] = await Promise.all([accept(again.id, again.invite_link), ask(), ask()]);
    expect(first?.status).toBe(200);
    expect(others.map(({ status }) => status)).toEqual([409, 409]);
    expect((await admin("GET", `/admin/users?email=${email}`)).body.total).toBe(1);
  });
});

describe("members", () => {
  it("are added, changed and removed", async () => {
    const user = await joined("max@example.org");
    const path = `/admin/workspaces/${other}/users`;
    expect((await admin("POST", path, { users: [{ id: user, role: "member" }] })).body).toEqual({});
    expect((await admin("PUT", `${path}/${user}`, { role: "admin" })).status).toBe(200);
    expect((await admin("GET", `${path}/${user}`)).body).toMatchObject({ id: user, role: "admin", status: "active" });
    expect((await admin("DELETE", `${path}/${user}`)).status).toBe(200);
    expect((await admin("GET", `${path}/${user}`)).status).toBe(404);
    const stranger = "99999999-9999-4999-8999-999999999999";
    expect(await admin("POST", path, { users: [{ id: stranger, role: "member" }] })).toMatchObject({
      status: 404,
      body: { error: { code: "AB02", param: "users[0].id" } },
    });
    expect((await admin("POST", path, { users: [] })).status).toBe(400);
  });

  it("do what their role and the settings of the organisation let them", async () => {
    const { as, workspace } = management;
    const user = await joined("kim@example.org", [{ id: workspace.slug, role: "member" }]);
    const kim = as({ workspace: workspace.id, user });
    const path = `/admin/workspaces/${workspace.slug}`;
    expect((await kim("GET", path)).status).toBe(200);
    expect(await kim("PUT", path, { description: "mine" })).toMatchObject({
      status: 403,
      body: { error: { code: "AB03" } },
    });
    await admin("PUT", `${path}/users/${user}`, { role: "manager" });
    expect((await kim("PUT", path, { description: "mine" })).status).toBe(200);
    expect((await kim("PUT", path, { usage_limits: { credit_limit: 5 } })).status).toBe(403);
    expect((await kim("POST", `${path}/users`, { users: [{ id: user, role: "admin" }] })).status).toBe(403);
    const settings = { security_settings: { managersManageWorkspace: true } };
    // Nor what managers may, where workspaces decide that for themselves.
    await admin("PUT", "/admin/organisation", { workspace_overrides: { workspace: true, prompts: true } });
    expect(await kim("PUT", path, settings)).toMatchObject({ status: 403, body: { error: { code: "AB03" } } });
    expect((await kim("PUT", path, { security_settings: { membersWritePrompts: true } })).status).toBe(200);
    await admin("PUT", `${path}/users/${user}`, { role: "admin" });
    expect((await kim("PUT", path, settings)).status).toBe(200);
    await admin("PUT", `${path}/users/${user}`, { role: "manager" });
    await admin("PUT", "/admin/organisation", { workspace_overrides: { workspace: false, prompts: false } });
    expect((await kim("PUT", path, { usage_limits: { credit_limit: 5 } })).status).toBe(403);
    expect((await admin("PUT", "/admin/organisation", { settings })).status).toBe(200);
    expect((await kim("PUT", path, { usage_limits: { credit_limit: 5 } })).status).toBe(200);
  });
});

describe("users", () => {
  it("get another role, and leave with everything that was theirs", async () => {
    const user = await joined("eve@example.org", [{ id: other, role: "member" }]);
    expect((await admin("PUT", `/admin/users/${user}`, { role: "owner" })).status).toBe(400);
    expect((await admin("PUT", `/admin/users/${user}`, { role: "admin" })).status).toBe(200);
    expect((await admin("GET", `/admin/users/${user}`)).body.workspace_ids.length).toBeGreaterThan(1);
    expect((await admin("DELETE", `/admin/users/${user}`)).status).toBe(200);
    expect((await admin("GET", `/admin/users/${user}`)).status).toBe(404);
    expect((await admin("GET", `/admin/workspaces/${other}/users?email=eve@example.org`)).body.total).toBe(0);
    expect((await management.as({ workspace: management.workspace.id })("GET", "/admin/users")).status).toBe(403);
  });
});
