import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Management, Records } from "../../core/index.ts";
import { beforeWriteTo, meetBeforeWritingTo } from "../support/gated-records.ts";
import { openGated, type TestManagement } from "../support/management.ts";

let management: TestManagement;

beforeAll(async () => {
  management = await openGated();
});
afterAll(() => management.close());

/** A kind of record of a workspace that does not keep it from being deleted. */
interface Kind {
  readonly path: string;
  readonly body: object;
  /** A change that is fine while the workspace is there. */
  readonly change: object;
  /** How a list of the whole organisation is asked for, where there is one. */
  readonly list?: string;
  /** Whether one of them is read and deleted by its id. */
  readonly single?: false;
}

const grouped = { conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }] };

const kinds: readonly Kind[] = [
  { path: "/collections", body: { name: "Letters" }, change: { name: "Changed" } },
  { path: "/labels", body: { name: "beta" }, change: { description: "Changed" }, list: "/labels" },
  {
    path: "/policies/usage-limits",
    body: { ...grouped, type: "cost", credit_limit: 10 },
    change: { credit_limit: 20 },
  },
  {
    path: "/policies/rate-limits",
    body: { ...grouped, type: "requests", unit: "rpm", value: 5 },
    change: { value: 6 },
  },
  {
    path: "/plugins",
    body: { plugin_id: "patronus", credentials: { apiKey: "pk-0123456789" } },
    change: { credentials: { apiKey: "pk-9876543210" } },
    list: "/plugins",
    single: false,
  },
];

/** Where some of them are kept, whose collection is not called as their path. */
const collections: Readonly<Record<string, string>> = {
  "/policies/usage-limits": "policy_usage_limits",
  "/policies/rate-limits": "policy_rate_limits",
  "/plugins": "check_credentials",
};

const idsIn = async (path: string): Promise<string[]> =>
  (await management.admin("GET", path)).body.data.map(({ id }: { id: string }) => id);

describe.each(kinds)("what a deleted workspace had of $path", ({ path, body, change, list, single = true }) => {
  const made = async () => {
    const { admin } = management;
    const workspace = (await admin("POST", "/admin/workspaces", { name: `For ${path} ${crypto.randomUUID()}` })).body;
    const one = await admin("POST", path, { ...body, workspace_id: workspace.slug });
    expect(one.status).toBe(200);
    return { workspace, id: one.body.id as string };
  };

  it("is seen and changed by nobody", async () => {
    const { admin } = management;
    const { workspace, id } = await made();
    const of = `${path}/${id}`;
    expect((await admin("PUT", of, change)).status).toBe(200);
    if (list) expect(await idsIn(list)).toContain(id);
    expect((await admin("DELETE", `/admin/workspaces/${workspace.slug}`)).status).toBe(200);
    if (list) expect(await idsIn(list)).not.toContain(id);
    const asked = [await admin("PUT", of, change)];
    if (single) asked.push(await admin("GET", of), await admin("DELETE", of));
    for (const { status, body: refused } of asked)
      expect({ status, code: refused.error?.code }).toEqual({ status: 404, code: "AB08" });
  });

  it("stands in nobody's way", async () => {
    const { admin } = management;
    const { workspace, id } = await made();
    await admin("DELETE", `/admin/workspaces/${workspace.slug}`);
    const again = await made();
    expect(again.id).not.toBe(id);
    if (list) expect(await idsIn(list)).toContain(again.id);
  });
});

it("archived policies of a deleted workspace are seen by nobody", async () => {
  const { admin } = management;
  const { slug } = (await admin("POST", "/admin/workspaces", { name: "Archived" })).body;
  const policy = { ...grouped, type: "requests", unit: "rpm", value: 5, workspace_id: slug };
  const { id } = (await admin("POST", "/policies/rate-limits", policy)).body;
  await admin("DELETE", `/policies/rate-limits/${id}`);
  const of = `/policies/rate-limits/${id}?status=archived`;
  expect((await admin("GET", of)).status).toBe(200);
  await admin("DELETE", `/admin/workspaces/${slug}`);
  expect((await admin("GET", of)).status).toBe(404);
  expect((await admin("GET", `/policies/rate-limits?workspace_id=${slug}`)).body.error.code).toBe("AB02");
});

it("policies of a deleted workspace take no counters back, and show none", async () => {
  const { admin } = management;
  const { slug } = (await admin("POST", "/admin/workspaces", { name: "Counted" })).body;
  const policy = { ...grouped, type: "cost", credit_limit: 10, workspace_id: slug };
  const { id } = (await admin("POST", "/policies/usage-limits", policy)).body;
  const entities = `/policies/usage-limits/${id}/entities`;
  expect((await admin("GET", entities)).status).toBe(200);
  await admin("DELETE", `/admin/workspaces/${slug}`);
  expect((await admin("GET", entities)).status).toBe(404);
  expect((await admin("PUT", `${entities}/any/reset`)).status).toBe(404);
});

it("collections of a deleted workspace are not found by those who name them", async () => {
  const { admin } = management;
  const { slug } = (await admin("POST", "/admin/workspaces", { name: "Put away" })).body;
  const { id } = (await admin("POST", "/collections", { name: "Letters", workspace_id: slug })).body;
  const inIt = () => admin("GET", `/prompts?collection_id=${id}`);
  expect((await inIt()).status).toBe(200);
  await admin("DELETE", `/admin/workspaces/${slug}`);
  expect(await inIt()).toMatchObject({ status: 404, body: { error: { code: "AB02", param: "collection_id" } } });
});

it("mappings of groups to a deleted workspace are seen by nobody, and do not decide the role in another one", async () => {
  const { admin } = management;
  const [gone, there] = await Promise.all(
    ["Gone", "There"].map(async (name) => (await admin("POST", "/admin/workspaces", { name })).body.slug),
  );
  const mapped = (workspace_id: string, role: string) =>
    admin("POST", "/scim/workspaces", { workspace_id, role, scim_group_name: "Engineers" });
  const { id, scim_group_id } = (await mapped(gone, "manager")).body;
  expect((await mapped(there, "member")).status).toBe(400);
  await admin("DELETE", `/admin/workspaces/${gone}`);
  expect((await admin("GET", `/scim/workspaces?scim_group_id=${scim_group_id}`)).body).toMatchObject({
    mappings: [],
    total_count: 0,
  });
  expect((await admin("DELETE", `/scim/workspaces/${id}`)).status).toBe(404);
  expect((await mapped(there, "member")).status).toBe(200);
});

it("of mappings of a group that is new to several roles at the same moment one holds, until it ends or its workspace", async () => {
  const { admin } = management;
  const [one, other, third] = await Promise.all(
    [1, 2, 3].map(async () => (await admin("POST", "/admin/workspaces", { name: crypto.randomUUID() })).body.slug),
  );
  const mapped = (workspace_id: string, role: string) =>
    admin("POST", "/scim/workspaces", { workspace_id, role, scim_group_name: "Auditors" });
  meetBeforeWritingTo("scim_mappings", 3);
  const asked = await Promise.all([mapped(one, "manager"), mapped(other, "member"), mapped(third, "admin")]);
  expect(asked.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  await admin("DELETE", `/scim/workspaces/${asked.find(({ status }) => status === 200)?.body.id}`);
  const first = await mapped(one, "manager");
  expect(first.status).toBe(200);
  expect((await mapped(other, "manager")).status).toBe(200);
  await admin("DELETE", `/scim/workspaces/${first.body.id}`);
  expect((await mapped(one, "member")).status).toBe(400);
  expect((await mapped(one, "manager")).status).toBe(200);
  for (const slug of [one, other]) await admin("DELETE", `/admin/workspaces/${slug}`);
  expect((await mapped(third, "member")).status).toBe(200);
});

it("keys of a deleted workspace that had expired are seen by nobody", async () => {
  const { admin } = management;
  const { slug } = (await admin("POST", "/admin/workspaces", { name: "Expired" })).body;
  const { id } = (
    await admin("POST", "/api-keys/workspace/service", {
      name: "short",
      workspace_id: slug,
      scopes: ["completions.write"],
      expires_at: new Date(Date.now() + 50).toISOString(),
    })
  ).body;
  await expect.poll(async () => (await admin("GET", `/api-keys/${id}`)).body.status, { interval: 10 }).toBe("expired");
  expect((await admin("DELETE", `/admin/workspaces/${slug}`)).status).toBe(200);
  expect((await admin("GET", `/api-keys/${id}`)).status).toBe(403);
  expect(await idsIn("/api-keys")).not.toContain(id);
});

/** What is made in a workspace: where it is kept, and how it is asked for. */
interface Made extends Pick<Kind, "path"> {
  readonly kept: string;
  readonly body: object;
  /** What is to be known of the workspace for it. */
  more?(workspace: string): Promise<object>;
}

const vendor = { key: "sk-0123456789", name: "v" };
const inDefaultCollection = async (workspace: string) => ({
  collection_id: (await idsIn(`/collections?workspace_id=${workspace}`))[0],
});

const makers: readonly Made[] = [
  ...kinds.map(({ path, body }) => ({ kept: collections[path] ?? path.slice(1), path, body })),
  { kept: "configs", path: "/configs", body: { name: "c", config: { provider: "simulator" } } },
  { kept: "config_versions", path: "/configs", body: { name: "c", config: { provider: "simulator" } } },
  { kept: "api_keys", path: "/api-keys/workspace/service", body: { name: "k", scopes: ["completions.write"] } },
  {
    kept: "guardrails",
    path: "/guardrails",
    body: { name: "g", checks: [{ id: "default.endsWith", parameters: { suffix: "." } }], actions: {} },
  },
  { kept: "integrations", path: "/integrations", body: { ai_provider_id: "openai", ...vendor } },
  { kept: "integrations", path: "/virtual-keys", body: { provider: "openai", ...vendor } },
  { kept: "scim_mappings", path: "/scim/workspaces", body: { role: "member", scim_group_name: "Late" } },
  {
    kept: "prompts",
    path: "/prompts",
    body: { name: "p", string: "[]", parameters: {}, virtual_key: "simulator" },
    more: inDefaultCollection,
  },
  {
    kept: "prompt_partials",
    path: "/prompts/partials",
    body: { name: "p", string: "Dear" },
    more: inDefaultCollection,
  },
];

it.each(makers)("nothing of $kept is made by $path in a workspace that is deleted at that very moment", async (one) => {
  const { admin, gateway } = management;
  const { slug, uuid } = (await admin("POST", "/admin/workspaces", { name: crypto.randomUUID() })).body;
  const body = { ...one.body, ...(await one.more?.(slug)), workspace_id: slug };
  const deleting = beforeWriteTo(one.kept, () => admin("DELETE", `/admin/workspaces/${slug}`));
  const made = await admin("POST", one.path, body);
  expect((await deleting).status).toBe(200);
  expect(made).toMatchObject({ status: 404, body: { error: { code: "AB02", param: "workspace_id" } } });
  const { archive } = gateway.generation.kernel.offered(Records) ?? expect.fail();
  const there = (await archive?.page(one.kept))?.records ?? [];
  expect(there.filter(({ document }) => document.workspace_id === uuid)).toEqual([]);
});

it("a workspace is deleted where what was being made in it has been taken back", async () => {
  const { admin, gateway } = management;
  const { slug } = (await admin("POST", "/admin/workspaces", { name: crypto.randomUUID() })).body;
  // There when it is looked for the second time, which is after the deletion, and no more after that.
  let looks = 0;
  gateway.generation.kernel
    .offered(Management)
    ?.needs("workspaces", async (_, one) => (one.slug === slug && ++looks === 2 ? ["1 thing"] : []));
  expect((await admin("DELETE", `/admin/workspaces/${slug}`)).status).toBe(200);
  expect(looks).toBe(3);
  expect((await admin("GET", `/admin/workspaces/${slug}`)).status).toBe(404);
});
