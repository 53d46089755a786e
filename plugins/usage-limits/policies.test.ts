import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { environmentOf, moduleLoader, parseConfig } from "../../core/config/index.ts";
import { type Budgeted, type Chat, startBudgeted } from "../../test/support/budgeted.ts";
import { root } from "../../test/support/root.ts";

const everyUser = { conditions: [{ key: "metadata._user", value: "*" }], group_by: [{ key: "metadata._user" }] };
const U1 = { ...everyUser, type: "cost", credit_limit: 80, alert_threshold: 60, periodic_reset: "monthly" };
const R1 = {
  conditions: [{ key: "api_key", value: "*" }],
  group_by: [{ key: "api_key" }],
  type: "requests",
  unit: "rpm",
  value: 2,
};
const ana: Chat = { metadata: { _user: "ana" } };
/** A token is a cent. */
const dollars = (amount: number): Chat => ({ ...ana, tokens: Math.round(amount * 100) });

const made = async ({ member }: Budgeted, body: object, kind = "usage-limits") => {
  const answered = await member("POST", `/policies/${kind}`, body);
  expect(answered, JSON.stringify(answered.body)).toMatchObject({ status: 200 });
  return `/policies/${kind}/${answered.body.id}`;
};

/** U1 with ana at 81.99 dollars: the state after row 12. */
async function usedUp(world: Budgeted) {
  const { chat, member, clock } = world;
  const path = await made(world, U1);
  // Between two resets, whenever this test is run.
  clock.now = Date.parse((await member("GET", path)).body.next_usage_reset_at) - 3_600_000;
  for (const amount of [79.99, 2]) expect((await chat(dollars(amount))).status).toBe(200);
  expect((await chat(ana)).status).toBe(412);
  const entities = async () => (await member("GET", `${path}/entities`)).body.data;
  await expect
    .poll(entities)
    .toMatchObject([{ value_key: "metadata._user:ana", current_usage: 81.99, status: "exhausted" }]);
  return { path, entities };
}

const usageIn = async ({ member }: Budgeted, path: string) =>
  (await member("GET", `${path}?include_usage=true`)).body.value_key_usage_map["metadata._user:ana"];

describe("decisions with policies of the store (policies.md section 12.3)", () => {
  it("15: a limit that is raised above what is used lets through at once, and alerts are told anew", async () => {
    const world = await startBudgeted();
    const { path, entities } = await usedUp(world);
    expect(await usageIn(world, path)).toEqual({
      current_usage: 81.99,
      status: "exhausted",
      is_threshold_alerts_sent: true,
      is_exhausted_alerts_sent: true,
    });
    expect((await world.member("PUT", path, { credit_limit: 90 })).status).toBe(200);
    expect((await world.chat(ana)).status).toBe(200);
    expect(await entities()).toMatchObject([{ current_usage: 81.99, status: "active" }]);
    expect((await usageIn(world, path)).is_exhausted_alerts_sent).toBe(false);
    const crossed = () => world.gateway.log.lines.filter(({ message }) => message.startsWith("a budget is used up"));
    expect(crossed()).toHaveLength(2);
    await world.chat(dollars(9));
    await expect.poll(async () => (await entities())[0].status).toBe("exhausted");
    await expect.poll(() => crossed().length).toBe(4);
    expect((await world.chat(ana)).status).toBe(412);
  });

  it("16: one that is raised, and still used up, does not", async () => {
    const world = await startBudgeted();
    const { path, entities } = await usedUp(world);
    await world.member("PUT", path, { credit_limit: 81 });
    expect((await world.chat(ana)).status).toBe(412);
    expect(await entities()).toMatchObject([{ status: "exhausted" }]);
    expect((await world.chat({ metadata: { _user: "ben" } })).status).toBe(200);
  });

  it("a limit that is lowered below what is used refuses at once", async () => {
    const world = await startBudgeted();
    const path = await made(world, U1);
    await world.chat(dollars(10));
    await world.member("PUT", path, { credit_limit: 10, alert_threshold: null });
    expect((await world.chat(ana)).status).toBe(412);
    expect(await usageIn(world, path)).toMatchObject({ current_usage: 10, status: "exhausted" });
  });

  it.each([
    ["by the route of its counter", (path: string, id: string) => ({ path: `${path}/entities/${id}/reset` })],
    ["by its value", (path: string) => ({ path, body: { reset_usage_for_value: "ana" } })],
  ])("18: a counter that is set to zero %s begins anew, and the next reset stays", async (_, call) => {
    const world = await startBudgeted();
    const { chat, member, admin, clock } = world;
    const { path, entities } = await usedUp(world);
    const before = (await member("GET", path)).body.next_usage_reset_at;
    const [{ id }] = await entities();
    const asked: { path: string; body?: object } = call(path, id);
    expect(await member("PUT", asked.path, asked.body)).toMatchObject({ status: 200, body: {} });
    expect(await usageIn(world, path)).toEqual({
      current_usage: 0,
      status: "active",
      is_threshold_alerts_sent: false,
      is_exhausted_alerts_sent: false,
    });
    expect((await chat(dollars(80))).status).toBe(200);
    const refused = await chat(ana);
    expect([refused.status, refused.headers.get("x-gateway-usage-reset")]).toEqual([412, before]);
    expect((await member("GET", path)).body.next_usage_reset_at).toBe(before);
    const day = 86_400_000;
    const span = [-day, day].map((shift) => new Date(Date.now() + shift).toISOString());
    const trail = `/audit-logs?start_time=${span[0]}&end_time=${span[1]}&resource_type=policies`;
    await expect
      .poll(async () => (await admin("GET", trail)).body.records.map((one: { uri: string }) => one.uri))
      .toContainEqual(expect.stringContaining(asked.path));
    clock.now = Date.parse(before);
    expect((await chat(ana)).status).toBe(200);
    expect(await usageIn(world, path)).toMatchObject({ current_usage: 0 });
  });

  it("36: an archived policy refuses nobody", async () => {
    const world = await startBudgeted();
    const { path } = await usedUp(world);
    expect((await world.member("DELETE", path)).status).toBe(200);
    expect((await world.chat(ana)).status).toBe(200);
    const rate = await made(world, { ...R1, value: 0 }, "rate-limits");
    expect((await world.chat()).status).toBe(429);
    await world.member("DELETE", rate);
    expect((await world.chat()).status).toBe(200);
  });

  it("37: an API key that has expired is refused with 401, whatever is left of its budget", async () => {
    const world = await startBudgeted();
    const { admin, chat, workspace } = world;
    const { id, key } = (
      await admin("POST", "/api-keys/workspace/service", {
        name: "short",
        workspace_id: workspace.slug,
        scopes: ["completions.write"],
        usage_limits: { type: "cost", credit_limit: 1 },
      })
    ).body;
    expect((await chat({ key, tokens: 100 })).status).toBe(200);
    const soon = { expires_at: new Date(Date.now() + 1_000).toISOString() };
    expect(await admin("PUT", `/api-keys/${id}`, soon)).toMatchObject({ status: 200 });
    await expect.poll(async () => (await chat({ key })).status, { timeout: 5_000 }).toBe(401);
    expect((await admin("GET", `/api-keys/${id}`)).body).toMatchObject({
      status: "expired",
      usage_limits: { status: "exhausted" },
    });
  });

  it("rates that are changed hold from the next request", async () => {
    const world = await startBudgeted();
    const path = await made(world, R1, "rate-limits");
    const statuses = async (times: number) => {
      const all: number[] = [];
      for (let i = 0; i < times; i++) all.push((await world.chat()).status);
      return all;
    };
    expect(await statuses(3)).toEqual([200, 200, 429]);
    await world.member("PUT", path, { value: 3 });
    expect(await statuses(2)).toEqual([200, 429]);
    await world.member("PUT", path, { unit: "rph", value: 1 });
    expect(await statuses(2)).toEqual([200, 429]);
    await world.member("PUT", path, { conditions: [{ key: "api_key", value: "somebody-else" }] });
    expect(await statuses(1)).toEqual([200]);
  });
});

describe("the acceptance checklist (policies.md section 13)", () => {
  it.each<[string, "usage-limits" | "rate-limits", object, number, string?]>([
    ["2: a threshold at the limit", "usage-limits", { ...U1, alert_threshold: 80 }, 400, "alert_threshold"],
    ["2: one below it", "usage-limits", { ...U1, alert_threshold: 79 }, 200],
    ["3: no conditions", "usage-limits", { ...U1, conditions: [] }, 400, "conditions"],
    ["3: no group", "usage-limits", { ...U1, group_by: [] }, 400, "group_by"],
    ["3: no conditions of a rate", "rate-limits", { ...R1, conditions: [] }, 400, "conditions"],
    ["3: no group of a rate", "rate-limits", { ...R1, group_by: [] }, 400, "group_by"],
    ["4: two periods", "usage-limits", { ...U1, periodic_reset_days: 3 }, 400, "periodic_reset_days"],
    [
      "5: an endpoint in a budget",
      "usage-limits",
      { ...U1, conditions: [{ key: "endpoint_type", value: "chat" }] },
      400,
      "conditions[0].key",
    ],
    [
      "5: a provider in a rate of tools",
      "rate-limits",
      { ...R1, target: "mcp_tools", conditions: [{ key: "virtual_key", value: "main-oai" }] },
      400,
      "conditions[0].key",
    ],
  ])("%s", async (_, kind, body, status, param) => {
    const { member } = await startBudgeted();
    const answered = await member("POST", `/policies/${kind}`, body);
    expect([answered.status, answered.body.error?.param, answered.body.error?.code]).toEqual([
      status,
      param,
      status === 400 ? "AB01" : undefined,
    ]);
  });

  it("6: what a rate is about stays", async () => {
    const world = await startBudgeted();
    const path = await made(world, R1, "rate-limits");
    expect((await world.member("PUT", path, { target: "mcp_tools" })).status).toBe(400);
    expect((await world.member("PUT", path, { target: "llm" })).status).toBe(200);
  });

  it("11: policies never apply to requests of another workspace", async () => {
    const world = await startBudgeted();
    const { admin, chat, organisation } = world;
    await made(world, { ...U1, credit_limit: 0, alert_threshold: null });
    await made(world, { ...R1, value: 0 }, "rate-limits");
    const { uuid } = (await admin("POST", "/admin/workspaces", { name: "Other" })).body;
    expect((await chat(ana)).status).toBe(412);
    expect((await chat({ ...ana, who: { workspace: uuid } })).status).toBe(200);
    expect((await chat({ ...ana, who: { organisation: `${organisation.slice(0, -1)}2` } })).status).toBe(200);
  });
});

describe("switches (policies.md section 11.5)", () => {
  it.each([
    [{}, [true, true, true]],
    [{ POLICY_ENABLED: "off" }, [false, true, true]],
    [{ POLICY_ENABLED: "On", USAGE_LIMITS_ENABLED: "OFF" }, [true, false, false]],
  ])("are read by the default config: %j", async (variables, expected) => {
    const path = `${root}config/gateway.yaml`;
    const text = await readFile(path, "utf8");
    const { plugins } = await parseConfig(text, path, moduleLoader(), environmentOf(variables));
    const enabled = ["policy-records", "usage-limits", "rate-limits"].map(
      (name) => (plugins.find((one) => one.name === name)?.options as { enabled?: boolean } | undefined)?.enabled,
    );
    expect(enabled).toEqual(expected);
  });

  it("without policies none is in force, and their routes answer 403", async () => {
    const world = await startBudgeted({ "policy-records": { enabled: false, usageLimits: { "of-the-file": U1 } } });
    const { admin, member, chat, workspace } = world;
    expect(await member("POST", "/policies/usage-limits", U1)).toMatchObject({
      status: 403,
      body: { error: { code: "AB03" } },
    });
    for (const path of ["/policies/usage-limits", "/policies/rate-limits", "/policies/usage-limits/of-the-file"])
      expect((await member("GET", path)).status).toBe(403);
    for (let i = 0; i < 2; i++) expect((await chat(dollars(90))).status).toBe(200);
    await admin("PUT", `/admin/workspaces/${workspace.slug}`, {
      rate_limits: [{ type: "requests", unit: "rpm", value: 0 }],
    });
    expect((await chat()).status).toBe(429);
  });

  it("without limits none is looked at", async () => {
    const off = { enabled: false };
    const world = await startBudgeted({ "usage-limits": off, "rate-limits": off });
    const path = await made(world, { ...U1, credit_limit: 0, alert_threshold: null });
    await made(world, { ...R1, value: 0 }, "rate-limits");
    const { status, headers } = await world.chat(ana);
    expect(status).toBe(200);
    expect([...headers.keys()].filter((name) => /limit/.test(name))).toEqual([]);
    expect((await world.member("GET", path)).status).toBe(200);
  });
});
