import { relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Principal } from "../../core/index.ts";
import {
  type Caller,
  folderOfFile,
  openManagement,
  startManagement,
  type TestManagement,
} from "../../test/support/management.ts";
import { takeDown } from "../../test/support/take-down.ts";
import { watched } from "../../test/support/watched-records.ts";

const folder = folderOfFile();
const module = (path: string) => relative(folder, new URL(path, import.meta.url).pathname);
const everybody = [{ key: "metadata._user", value: "*" }];
const byUser = [{ key: "metadata._user" }];
const usage = { conditions: everybody, group_by: byUser, type: "cost", credit_limit: 80 };
const rate = {
  conditions: [{ key: "api_key", value: "*" }],
  group_by: [{ key: "api_key" }],
  type: "requests",
  unit: "rpm",
  value: 2,
};

let management: TestManagement;
let admin: Caller;
let own: Caller;
let workspace: TestManagement["workspace"];
let other: { readonly uuid: string; readonly slug: string };

beforeAll(async () => {
  management = await openManagement(
    {
      "records-file": { use: module("../../test/support/watched-records.ts") },
      routing: {},
      configs: {},
      "policy-records": { usageLimits: { "of-the-file": usage }, rateLimits: { "rate-of-the-file": rate } },
      counters: { use: module("testing.ts") },
    },
    { folder, providers: { simulator: {} } },
  );
  ({ admin, workspace } = management);
  own = management.as({ workspace: workspace.id });
  other = (await admin("POST", "/admin/workspaces", { name: "Other" })).body;
});
afterAll(() => management.gateway.shutdown(0, 0));

const kinds = { "usage-limits": usage, "rate-limits": rate } as const;
type Kind = keyof typeof kinds;
const make = async (kind: Kind, body: object = {}, caller = own) =>
  (await caller("POST", `/policies/${kind}`, { ...kinds[kind], ...body })).body.id as string;
const read = async (kind: Kind, id: string, query = "") => (await own("GET", `/policies/${kind}/${id}${query}`)).body;
const put = (kind: Kind, id: string, body: object) => own("PUT", `/policies/${kind}/${id}`, body);

describe.each<[Kind, string, object, object]>([
  [
    "usage-limits",
    "policy_usage_limits",
    {
      type: "cost",
      credit_limit: 80,
      alert_threshold: null,
      periodic_reset: null,
      periodic_reset_days: null,
      next_usage_reset_at: null,
      last_reset_at: null,
      enforcement: "soft",
    },
    { credit_limit: 90.5, name: "More", description: "d", on_store_error: "deny" },
  ],
  [
    "rate-limits",
    "policy_rate_limits",
    { type: "requests", unit: "rpm", value: 2, target: "llm" },
    { unit: "rph", value: 0, name: "More", description: "d", on_store_error: "local" },
  ],
])("%s policies", (kind, object, fields, change) => {
  it("are made, read, listed, changed, and archived for good", async () => {
    const made = await own("POST", `/policies/${kind}`, { ...kinds[kind], status: "active" });
    expect(made).toMatchObject({ status: 200, body: { object } });
    expect(Object.keys(made.body).sort()).toEqual(["id", "object"]);
    const { id } = made.body;
    const { conditions, group_by } = kinds[kind];
    const row = {
      id,
      name: null,
      description: null,
      conditions,
      group_by,
      ...fields,
      on_store_error: null,
      status: "active",
      workspace_id: workspace.id,
      organisation_id: management.organisation,
      object,
      origin: "store",
    };
    expect(await read(kind, id)).toEqual({
      ...row,
      created_at: expect.any(String),
      last_updated_at: expect.any(String),
    });
    const ids = async (query = "") =>
      (await own("GET", `/policies/${kind}${query}`)).body.data.map((one: { id: string }) => one.id);
    expect(await ids()).toContain(id);
    expect(await put(kind, id, change)).toMatchObject({ status: 200, body: {} });
    expect(await read(kind, id)).toMatchObject({ ...row, ...change });
    expect(await own("DELETE", `/policies/${kind}/${id}`)).toMatchObject({ status: 200, body: {} });
    expect((await own("GET", `/policies/${kind}/${id}`)).status).toBe(404);
    expect(await read(kind, id, "?status=archived")).toMatchObject({ id, status: "archived" });
    expect([(await ids()).includes(id), (await ids("?status=archived")).includes(id)]).toEqual([false, true]);
    expect((await put(kind, id, { name: "x" })).status).toBe(404);
    expect((await own("DELETE", `/policies/${kind}/${id}`)).status).toBe(404);
  });

  it("may be said to be active", async () => {
    expect(await read(kind, await make(kind, { status: "active" }))).toMatchObject({ status: "active" });
  });

  it("keep what cannot be changed: said again it is ignored, said otherwise refused", async () => {
    const id = await make(kind);
    const { type, group_by } = kinds[kind];
    expect((await put(kind, id, { type, group_by, status: "active", name: "x" })).status).toBe(200);
    for (const body of [{ type: "tokens" }, { group_by: [{ key: "model" }] }, { status: "archived" }])
      expect(await put(kind, id, body)).toMatchObject({
        status: 400,
        body: { error: { param: Object.keys(body)[0] } },
      });
  });

  it("know workspaces by id, configs by slug and providers without an @, however they were written", async () => {
    const config = (await own("POST", "/configs", { name: "Night", config: { provider: "@simulator" } })).body.data;
    const conditions = [
      { key: "workspace_id", value: [workspace.slug, workspace.id], excludes: other.slug },
      { key: "config", value: config.id, excludes: ["pc-inline-000000", "*"] },
      { key: "virtual_key", value: "@main-oai" },
      { key: "model", value: "@openai/*" },
    ];
    const id = await make(kind, { conditions, workspace_id: workspace.id }, admin);
    expect((await read(kind, id)).conditions).toEqual([
      { key: "workspace_id", value: [workspace.id, workspace.id], excludes: other.uuid },
      { key: "config", value: config.slug, excludes: ["pc-inline-000000", "*"] },
      { key: "virtual_key", value: "main-oai" },
      { key: "model", value: "@openai/*" },
    ]);
    for (const [key, value] of [
      ["workspace_id", "ws-none-000000"],
      ["config", crypto.randomUUID()],
    ] as const)
      expect(await put(kind, id, { conditions: [{ key, value }] })).toMatchObject({
        status: 404,
        body: { error: { code: "AB02", param: "conditions[0].value" } },
      });
  });

  it("are not changed to a model that no request meets", async () => {
    const conditions = [{ key: "model", value: ["@openai/*", "gpt-*"] }];
    expect(await put(kind, await make(kind), { conditions })).toMatchObject({
      status: 400,
      body: { error: { code: "AB01", param: "conditions[0].value[1]" } },
    });
  });

  it("tell a workspace nothing of another one, nor whether there is one", async () => {
    const refusal = async (value: string) => {
      const conditions = [{ key: "workspace_id", value: "*", excludes: [value] }];
      const { status, body } = await own("POST", `/policies/${kind}`, { ...kinds[kind], conditions });
      return [status, JSON.stringify(body).replaceAll(value, "")];
    };
    const ofNobody = await refusal("ws-none-000000");
    expect(ofNobody[0]).toBe(404);
    for (const ref of [other.slug, other.uuid]) expect(await refusal(ref)).toEqual(ofNobody);
  });

  it.each<[string, object, string]>([
    ["no conditions", { conditions: [] }, "conditions"],
    ["too many conditions", { conditions: Array(21).fill(everybody[0]) }, "conditions"],
    ["a condition without a value", { conditions: [{ key: "model" }] }, "conditions[0].value"],
    ["a value that is empty", { conditions: [{ key: "model", value: [""] }] }, "conditions[0].value"],
    ["a model that no request meets", { conditions: [{ key: "model", value: "deepseek/*" }] }, "conditions[0].value"],
    ["an unknown key", { conditions: [{ key: "colour", value: "*" }] }, "conditions[0].key"],
    ["metadata of no name", { conditions: [{ key: "metadata.", value: "*" }] }, "conditions[0].key"],
    ["a key of tools", { conditions: [{ key: "mcp_tool", value: "*" }] }, "conditions[0].key"],
    ["no groups", { group_by: [] }, "group_by"],
    ["groups absent", { group_by: undefined }, "group_by"],
    ["a group twice", { group_by: [...byUser, ...byUser] }, "group_by[1].key"],
    ["an unknown group", { group_by: [{ key: "colour" }] }, "group_by[0].key"],
    ["an unknown type", { type: "words" }, "type"],
    ["a name that is too long", { name: "x".repeat(256) }, "name"],
    ["a description that is too long", { description: "x".repeat(501) }, "description"],
    ["to be archived from the start", { status: "archived" }, "status"],
    ["no workspace", { workspace_id: undefined }, "workspace_id"],
  ])("refuse %s", async (_, body, param) => {
    const given = { ...kinds[kind], workspace_id: workspace.id, ...body };
    const refused = await admin("POST", `/policies/${kind}`, given);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: "AB01" } } });
    expect(refused.body.error.param).toContain(param);
  });

  it("belong to a workspace, and ask for the scope of each verb", async () => {
    const calls = async (): Promise<[string, string, string, object?][]> => {
      const id = await make(kind);
      const one = `/policies/${kind}/${id}`;
      return [
        ["list", "GET", `/policies/${kind}`],
        ["read", "GET", one],
        ["create", "POST", `/policies/${kind}`, kinds[kind]],
        ["update", "PUT", one, { name: "x" }],
        ["delete", "DELETE", one],
      ];
    };
    const strangers: Partial<Principal>[] = [{ workspace: other.uuid }, { organisation: crypto.randomUUID() }];
    for (const [verb, method, path, body] of await calls()) {
      for (const who of strangers)
        if (!["list", "create"].includes(verb)) expect((await management.as(who)(method, path, body)).status).toBe(404);
      const scoped = (scopes: string[]) => management.as({ workspace: workspace.id, scopes })(method, path, body);
      expect((await scoped(["policies.nothing"])).status).toBe(403);
      expect((await scoped([`policies.${verb}`])).status).toBe(200);
    }
    expect((await own("POST", `/policies/${kind}`, { ...kinds[kind], workspace_id: other.slug })).status).toBe(403);
    expect((await admin("GET", `/policies/${kind}`)).status).toBe(400);
  });

  it("come in pages, narrowed by what they limit", async () => {
    const caller = management.as({
      workspace: (await admin("POST", "/admin/workspaces", { name: crypto.randomUUID() })).body.uuid,
    });
    for (const type of ["tokens", "requests", "tokens"]) await make(kind, { type }, caller);
    const listed = async (query: string) => {
      const { status, body } = await caller("GET", `/policies/${kind}?${query}`);
      return status === 200 ? [body.total, body.data.length] : status;
    };
    expect(await listed("")).toEqual([4, 4]);
    expect(await listed("type=tokens")).toEqual([2, 2]);
    expect(await listed("page_size=3&current_page=1")).toEqual([4, 1]);
    expect(await listed("page_size=0")).toEqual([4, 4]);
    expect(await listed("status=archived")).toEqual([0, 0]);
    expect(await listed("type=words")).toBe(400);
  });
});

describe("usage limits policies", () => {
  const from = new Date(Date.now() + 40 * 86_400_000).toISOString();

  it("begin anew at the end of their period, or when they say", async () => {
    const at = async (body: object) =>
      (await read("usage-limits", await make("usage-limits", body))).next_usage_reset_at;
    expect(new Date(await at({ periodic_reset: "weekly" })).getUTCDay()).toBe(1);
    expect(new Date(await at({ periodic_reset: "monthly" })).getUTCDate()).toBe(1);
    expect(await at({ periodic_reset_days: 3, next_usage_reset_at: from })).toBe(`${from.slice(0, 10)}T00:00:00.000Z`);
    const id = await make("usage-limits", { periodic_reset: "weekly", next_usage_reset_at: from });
    await put("usage-limits", id, { name: "x" });
    expect((await read("usage-limits", id)).next_usage_reset_at).toContain(from.slice(0, 10));
    await put("usage-limits", id, { periodic_reset_days: 5 });
    const changed = await read("usage-limits", id);
    expect(changed).toMatchObject({ periodic_reset: null, periodic_reset_days: 5 });
    expect(changed.next_usage_reset_at).not.toContain(from.slice(0, 10));
    await put("usage-limits", id, { periodic_reset_days: null });
    expect(await read("usage-limits", id)).toMatchObject({ periodic_reset_days: null, next_usage_reset_at: null });
  });

  it.each<[string, object, number, string?]>([
    ["an alert just below the limit", { alert_threshold: 79.99 }, 200],
    ["an alert at the limit", { alert_threshold: 80 }, 400, "alert_threshold"],
    ["a limit of nothing", { credit_limit: 0 }, 200],
    ["a limit below nothing", { credit_limit: -1 }, 400, "credit_limit"],
    ["a limit in words", { credit_limit: "80" }, 400, "credit_limit"],
    ["fractions", { credit_limit: 0.5 }, 200],
    ["the highest limit there can be", { credit_limit: 999_999_999_999_999, alert_threshold: 1e14 }, 200],
    ["a limit beyond what is counted", { credit_limit: 1e15 }, 400, "credit_limit"],
    ["a limit no number is exact at", { credit_limit: 1e300 }, 400, "credit_limit"],
    ["an alert beyond what is counted", { alert_threshold: 1e300 }, 400, "alert_threshold"],
    ["requests", { type: "requests" }, 200],
    ["two periods", { periodic_reset: "weekly", periodic_reset_days: 3 }, 400, "periodic_reset_days"],
    ["too many days", { periodic_reset_days: 366 }, 400, "periodic_reset_days"],
    ["a reset in the past", { next_usage_reset_at: "2026-01-01T00:00:00Z" }, 400, "next_usage_reset_at"],
    ["a key of rate limits", { conditions: [{ key: "endpoint_type", value: "embed" }] }, 400, "conditions[0].key"],
  ])("%s: %s", async (_, body, status, param) => {
    const answered = await own("POST", "/policies/usage-limits", { ...usage, ...body });
    expect([answered.status, answered.body.error?.param]).toEqual([status, param]);
  });

  it("hold an alert against the limit that is left after a change", async () => {
    const id = await make("usage-limits", { alert_threshold: 60 });
    expect((await put("usage-limits", id, { credit_limit: 60 })).status).toBe(400);
    expect((await put("usage-limits", id, { credit_limit: 60, alert_threshold: null })).status).toBe(200);
    expect((await put("usage-limits", id, { alert_threshold: 60 })).status).toBe(400);
    expect((await put("usage-limits", id, { periodic_reset: "weekly", periodic_reset_days: 3 })).status).toBe(400);
    expect((await put("usage-limits", id, { conditions: [{ key: "mcp_server", value: "x" }] })).status).toBe(400);
  });

  it("keeps a limit above its alert, whoever changes which of them at the same moment", async () => {
    const changes = [{ credit_limit: 50, alert_threshold: 10 }, { alert_threshold: 70 }];
    for (let times = 0; times < 5; times++) {
      const id = await make("usage-limits", { alert_threshold: 60 });
      await Promise.all(changes.map((body) => put("usage-limits", id, body)));
      const { credit_limit, alert_threshold } = await read("usage-limits", id);
      expect(alert_threshold).toBeLessThan(credit_limit);
    }
  });

  it("show what was counted, and set it to zero", async () => {
    const id = await make("usage-limits");
    const entity = (name: string, currentUsage: number, status = "active") => ({
      id: `${id}-${name}`,
      valueKey: `metadata._user:${name}`,
      type: "cost",
      currentUsage,
      status,
      thresholdAlertSent: false,
      exhaustedAlertSent: status === "exhausted",
    });
    for (const one of [entity("ana", 81.25, "exhausted"), entity("ben", 3)])
      await admin("POST", "/test/count", { policy: id, ...one });
    const entities = async (query = "") => (await own("GET", `/policies/usage-limits/${id}/entities${query}`)).body;
    expect(await entities()).toEqual({
      object: "list",
      total: 2,
      data: [
        { id: `${id}-ana`, value_key: "metadata._user:ana", current_usage: 81.25, status: "exhausted" },
        { id: `${id}-ben`, value_key: "metadata._user:ben", current_usage: 3, status: "active" },
      ],
    });
    const names = async (query: string) => (await entities(query)).data.map((one: { id: string }) => one.id);
    expect(await names("?status=active")).toEqual([`${id}-ben`]);
    expect(await names("?search=an")).toEqual([`${id}-ana`]);
    expect(await names("?page_size=1&current_page=1")).toEqual([`${id}-ben`]);
    expect((await own("GET", `/policies/usage-limits/${id}/entities?page_size=0`)).status).toBe(400);
    expect((await read("usage-limits", id, "?include_usage=true")).value_key_usage_map["metadata._user:ana"]).toEqual({
      current_usage: 81.25,
      status: "exhausted",
      is_threshold_alerts_sent: false,
      is_exhausted_alerts_sent: true,
    });
    expect(await read("usage-limits", id)).not.toHaveProperty("value_key_usage_map");
    expect((await own("PUT", `/policies/usage-limits/${id}/entities/${id}-ana/reset`)).body).toEqual({});
    expect((await entities()).data[0]).toMatchObject({ current_usage: 0, status: "active" });
    for (const value of ["ben", "metadata._user:ben"])
      expect((await put("usage-limits", id, { reset_usage_for_value: value })).status).toBe(200);
    expect((await entities()).data[1].current_usage).toBe(0);
    expect((await own("PUT", `/policies/usage-limits/${id}/entities/none/reset`)).status).toBe(404);
    expect((await put("usage-limits", id, { reset_usage_for_value: "zoe" })).status).toBe(404);
    await own("DELETE", `/policies/usage-limits/${id}`);
    expect((await own("GET", `/policies/usage-limits/${id}/entities`)).status).toBe(404);
  });

  it("have used nothing where nobody counts", async () => {
    const use = module("testing.ts");
    const { admin: caller, workspace: own } = await startManagement(
      { "policy-records": {}, counters: { use, counts: false } },
      { folder: folderOfFile() },
    );
    const { id } = (await caller("POST", "/policies/usage-limits", { ...usage, workspace_id: own.id })).body;
    expect((await caller("GET", `/policies/usage-limits/${id}?include_usage=true`)).body.value_key_usage_map).toEqual(
      {},
    );
    expect((await caller("GET", `/policies/usage-limits/${id}/entities`)).body).toMatchObject({ total: 0, data: [] });
    expect((await caller("PUT", `/policies/usage-limits/${id}/entities/x/reset`)).status).toBe(404);
  });
});

describe("rate limits policies", () => {
  const tools = { target: "mcp_tools", conditions: [{ key: "mcp_server", value: "tickets" }], group_by: undefined };

  it.each<[string, object, number, string?]>([
    ["tokens in their own words", { type: "tokens", unit: "tph" }, 200],
    ["requests in words of tokens", { unit: "tpm" }, 400, "unit"],
    ["a window of keys", { unit: "rps" }, 400, "unit"],
    ["nothing at all", { value: 0 }, 200],
    ["a part of a request", { value: 0.5 }, 400, "value"],
    ["kinds of requests", { conditions: [{ key: "endpoint_type", value: ["embed", "rerank"] }] }, 200],
    ["tools", tools, 200],
    ["tools by provider", { ...tools, conditions: [{ key: "virtual_key", value: "*" }] }, 400, "conditions[0].key"],
    ["another target", { target: "everything" }, 400, "target"],
  ])("%s: %s", async (_, body, status, param) => {
    const answered = await own("POST", "/policies/rate-limits", { ...rate, ...body });
    expect([answered.status, answered.body.error?.param]).toEqual([status, param]);
  });

  it("keep units of tokens as those of requests, and tools by workspace", async () => {
    const id = await make("rate-limits", { type: "tokens", unit: "tpm" });
    expect((await read("rate-limits", id)).unit).toBe("rpm");
    await put("rate-limits", id, { unit: "tpd" });
    expect((await read("rate-limits", id)).unit).toBe("rpd");
    expect((await own("GET", "/policies/rate-limits?unit=rpd")).body.data.map((one: { id: string }) => one.id)).toEqual(
      [id],
    );
    const ofTools = await make("rate-limits", tools);
    expect((await read("rate-limits", ofTools)).group_by).toEqual([{ key: "workspace_id" }]);
    expect((await put("rate-limits", ofTools, { target: "llm" })).status).toBe(400);
    expect((await put("rate-limits", ofTools, { target: "mcp_tools", unit: "tpm" })).status).toBe(400);
  });
});

describe("policies on the data path", () => {
  const inForce = async (who: Partial<Principal>) => (await management.as(who)("GET", "/test/policies")).body;

  it("are those of the file and of the caller's workspace, as they were made, until one changes", async () => {
    const { uuid } = (await admin("POST", "/admin/workspaces", { name: "Limited" })).body;
    const caller = management.as({ workspace: uuid });
    const conditions = [{ key: "model", value: "@openai/*", excludes: ["@openai/nano"] }];
    const first = await make(
      "usage-limits",
      { name: "U", conditions, periodic_reset_days: 7, alert_threshold: 60 },
      caller,
    );
    const second = await make("usage-limits", { periodic_reset: "monthly" }, caller);
    const limit = await make("rate-limits", { unit: "rph" }, caller);
    const { usage: budgets, rates } = await inForce({ workspace: uuid });
    expect(budgets.map(({ id }: { id: string }) => id)).toEqual(["of-the-file", first, second]);
    expect(budgets[1]).toEqual({
      id: first,
      name: "U",
      conditions: [{ key: "model", values: ["@openai/*"], excludes: ["@openai/nano"] }],
      groupBy: ["metadata._user"],
      workspace: uuid,
      type: "cost",
      creditLimit: 80,
      alertThreshold: 60,
      enforcement: "soft",
      period: { days: 7 },
      nextResetAt: expect.any(Number),
      version: 1,
    });
    expect(budgets[2].period).toBe("monthly");
    expect(rates).toEqual([
      expect.objectContaining({ id: "rate-of-the-file" }),
      {
        id: limit,
        name: null,
        conditions: [{ key: "api_key", values: ["*"], excludes: [] }],
        groupBy: ["api_key"],
        workspace: uuid,
        type: "requests",
        unit: "rph",
        value: 2,
        target: "llm",
      },
    ]);
    const before = watched.reads;
    expect((await inForce({ workspace: uuid })).waited).toBe(false);
    expect(watched.reads).toBe(before);
    await caller("DELETE", `/policies/usage-limits/${first}`);
    const ids = async () => (await inForce({ workspace: uuid })).usage.map(({ id }: { id: string }) => id);
    expect(await ids()).toEqual(["of-the-file", second]);
    takeDown();
    expect(await ids()).toEqual(["of-the-file", second]);
    expect((await own("GET", "/test/policies")).status).toBe(503);
  });

  it("are those of the file alone for callers of no workspace", async () => {
    for (const who of [{}, { organisation: undefined as never }])
      expect(await inForce(who)).toMatchObject({
        waited: false,
        usage: [{ id: "of-the-file" }],
        rates: [{ id: "rate-of-the-file" }],
      });
  });

  it("of the file are checked at the start", async () => {
    const started = startManagement(
      { "policy-records": { usageLimits: { broken: { ...usage, alert_threshold: 90 } } } },
      { folder: folderOfFile() },
    );
    await expect(started).rejects.toThrow(/alert_threshold/);
  });
});
