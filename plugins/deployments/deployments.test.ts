import { afterAll, beforeAll, expect, it } from "vitest";
import { Records } from "../../core/index.ts";
import { openManagement, type TestManagement } from "../../test/support/management.ts";

let management: TestManagement;

beforeAll(async () => {
  management = await openManagement({ deployments: {} });
});
afterAll(() => management.close());

it("are registered with a token that is shown once", async () => {
  const { admin, workspace } = management;
  const made = await admin("POST", "/deployments", {
    name: "EU production",
    type: "production",
    url: "https://llm.example.eu",
    workspaces: [workspace.slug],
  });
  expect(made).toMatchObject({ status: 200, body: { slug: expect.stringMatching(/^eu-production-[0-9a-f]{6}$/) } });
  const path = `/deployments/${made.body.slug}`;
  const shown = await admin("GET", path);
  expect(shown.body).toMatchObject({
    name: "EU production",
    status: "active",
    last_synced_at: null,
    allow_all_workspaces: false,
    workspaces: [workspace.slug],
    object: "deployment",
  });
  expect(JSON.stringify(shown.body)).not.toContain("client_auth");
  expect((await admin("PUT", path, { allow_all_workspaces: false })).status).toBe(200);
  expect((await admin("GET", path)).body.workspaces).toEqual([workspace.slug]);
  const nobody = await admin("PUT", path, { workspaces: [] });
  expect(nobody).toMatchObject({ status: 400, body: { error: { param: "workspaces" } } });
  expect((await admin("PUT", path, { allow_all_workspaces: true })).status).toBe(200);
  expect((await admin("GET", `/deployments?type=production&workspace_id=${workspace.slug}`)).body.data).toMatchObject([
    { id: made.body.id, workspaces: [], allow_all_workspaces: true },
  ]);
  expect((await admin("GET", "/deployments?type=non-production")).body.total).toBe(0);
  expect((await admin("DELETE", path)).body).toEqual({});
  expect((await admin("GET", path)).status).toBe(404);
});

it.each<[string, object, number, string]>([
  ["no type", { name: "a" }, 400, "type"],
  ["a type nobody knows", { name: "a", type: "test" }, 400, "type"],
  ["what is no address", { name: "a", type: "production", url: "file:///etc/passwd" }, 400, "url"],
  ["an address that nobody may call", { name: "a", type: "production", url: "http://169.254.169.254/" }, 400, "url"],
  [
    "all workspaces and some",
    { name: "a", type: "production", allow_all_workspaces: true, workspaces: ["ws-a"] },
    400,
    "workspaces",
  ],
  ["an unknown workspace", { name: "a", type: "production", workspaces: ["ws-a"] }, 404, "workspaces[0]"],
])("are not registered with %s", async (_, body, status, param) => {
  expect(await management.admin("POST", "/deployments", body)).toMatchObject({ status, body: { error: { param } } });
  const own = management.as({ workspace: management.workspace.id });
  expect((await own("POST", "/deployments", body)).status).toBe(403);
});

it("hide the credentials in their addresses, and keep them when they are sent back hidden", async () => {
  const { admin, gateway, organisation } = management;
  const url = "https://llm.example.eu/?token=very-secret";
  const hook = "https://hooks.slack.com/services/T012/B034/very-secret";
  const given = { name: "Hidden", type: "production", url, config: { tells: [hook] } };
  const { id } = (await admin("POST", "/deployments", given)).body;
  const path = `/deployments/${id}`;
  const { body: shown } = await admin("GET", path);
  expect(shown).toMatchObject({
    url: "https://llm.example.eu/?token=ve*******et",
    config: { tells: ["https://hooks.slack.com/services/T0*******et"] },
  });
  expect(JSON.stringify((await admin("GET", "/deployments")).body)).not.toContain("very-secret");
  expect((await admin("PUT", path, { url: shown.url, config: shown.config })).status).toBe(200);
  const archive = gateway.generation.kernel.offered(Records)?.archive;
  const kept = await archive?.get("deployments", { tenant: organisation, id });
  expect(kept?.document).toMatchObject({ url, config: { tells: [hook] } });
  const moved = shown.url.replace("llm.", "elsewhere.");
  for (const [method, at] of [
    ["PUT", path],
    ["POST", "/deployments"],
  ] as const)
    expect(await admin(method, at, { ...given, url: moved })).toMatchObject({
      status: 400,
      body: { error: { code: "AB01", param: "url" } },
    });
});
