import { describe, expect, it } from "vitest";
import { type Budgeted, type Chat, startBudgeted } from "../../test/support/budgeted.ts";
import { folderOfFile, supportPlugin } from "../../test/support/management.ts";
import { watched } from "../../test/support/watched-records.ts";

const budget = { type: "cost", credit_limit: 2, alert_threshold: 1, periodic_reset: "weekly" };
type Shown = Record<string, unknown> & { readonly usage_limits: unknown };

/** Something with a budget, by the API. */
interface Thing {
  readonly chat: Chat;
  change(body: object): Promise<{ readonly status: number; readonly body: unknown }>;
  /** As it is read, then as it is listed. */
  read(): Promise<readonly Shown[]>;
  readonly reason: string;
  readonly audit: string;
  /** Whether its own status says that its budget is used up. */
  readonly tells: boolean;
}

/** An integration of the organisation, or of the workspace, with a provider under the same slug. */
async function integration({ admin, member, upstream }: Budgeted, of: "organisation" | "workspace"): Promise<string> {
  const body = { name: "Vendor", slug: "vendor", ai_provider_id: "openai", key: "sk-0123456789" };
  const configurations = { custom_host: `${upstream.url}/v1` };
  const made = await (of === "workspace" ? member : admin)("POST", "/integrations", { ...body, configurations });
  expect(made).toMatchObject({ status: 200 });
  return "vendor";
}

const rowOf = (rows: readonly Shown[], name: string, value: unknown): Shown => {
  const found = rows.find((row) => row[name] === value);
  if (!found) throw new Error(`no row has ${name} ${value}`);
  return found;
};

const levels: Record<string, (world: Budgeted) => Promise<Thing>> = {
  async "an API key"({ admin, workspace }) {
    const body = { name: "claims", workspace_id: workspace.slug, scopes: ["completions.write"], usage_limits: budget };
    const { id, key } = (await admin("POST", "/api-keys/workspace/service", body)).body;
    return {
      chat: { key },
      change: (change) => admin("PUT", `/api-keys/${id}`, change),
      read: async () => [
        (await admin("GET", `/api-keys/${id}`)).body,
        rowOf((await admin("GET", "/api-keys")).body.data, "id", id),
      ],
      reason: "api_key_usage_limit_exceeded",
      audit: "api_keys",
      tells: true,
    };
  },
  async "a workspace"({ admin, workspace }) {
    const path = `/admin/workspaces/${workspace.slug}`;
    await admin("PUT", path, { usage_limits: [budget] });
    return {
      chat: {},
      change: (change) => admin("PUT", path, change),
      read: async () => [
        (await admin("GET", path)).body,
        rowOf((await admin("GET", "/admin/workspaces")).body.data, "uuid", workspace.id),
      ],
      reason: "workspace_usage_limit_exceeded",
      audit: "workspaces",
      tells: false,
    };
  },
  async "a provider"(world) {
    const { member } = world;
    const slug = await integration(world, "workspace");
    await member("PUT", `/providers/${slug}`, { usage_limits: budget });
    return {
      chat: { provider: slug },
      change: (change) => member("PUT", `/providers/${slug}`, change),
      read: async () => [
        (await member("GET", `/providers/${slug}`)).body,
        rowOf((await member("GET", "/providers")).body.data, "slug", slug),
      ],
      reason: "provider_usage_limit_exceeded",
      audit: "providers",
      tells: true,
    };
  },
  async "a virtual key"({ member, upstream }) {
    const body = { name: "Old", provider: "openai", key: "sk-0123456789", customHost: `${upstream.url}/v1` };
    const made = await member("POST", "/virtual-keys", { ...body, usage_limits: budget });
    const { slug } = made.body.data;
    return {
      chat: { provider: slug },
      change: (change) => member("PUT", `/virtual-keys/${slug}`, change),
      read: async () => [
        (await member("GET", `/virtual-keys/${slug}`)).body,
        rowOf((await member("GET", "/virtual-keys")).body.data, "slug", slug),
      ],
      reason: "provider_usage_limit_exceeded",
      audit: "virtual_keys",
      tells: true,
    };
  },
  async "a workspace's share of an integration"(world) {
    const { admin, workspace } = world;
    const slug = await integration(world, "organisation");
    const path = `/integrations/${slug}/workspaces`;
    const change = (more: object) =>
      admin("PUT", path, { workspaces: [{ id: workspace.slug, enabled: true, ...more }] });
    await change({ usage_limits: [budget] });
    return {
      chat: { provider: slug },
      change,
      read: async () => [rowOf((await admin("GET", path)).body.workspaces, "id", workspace.slug)],
      reason: "integration_usage_limit_exceeded",
      audit: "integrations",
      tells: false,
    };
  },
};

const budgetsOf = async (thing: Thing) =>
  (await thing.read()).map(({ usage_limits }) => (Array.isArray(usage_limits) ? usage_limits[0] : usage_limits));

const day = 86_400_000;
const span = `start_time=${new Date(Date.now() - day).toISOString()}&end_time=${new Date(Date.now() + day).toISOString()}`;

describe.each(Object.entries(levels))("the budget of %s", (_, make) => {
  it("is shown as it is used, told when it is used up, and begins anew when that is asked for", async () => {
    const world = await startBudgeted();
    const { chat, admin } = world;
    const thing = await make(world);
    const expectShown = async (expected: object, status = "active") => {
      await expect
        .poll(() => budgetsOf(thing))
        .toEqual((await thing.read()).map(() => expect.objectContaining({ ...budget, ...expected })));
      if (thing.tells) for (const row of await thing.read()) expect(row).toMatchObject({ status, reset_usage: 0 });
    };
    const unused = {
      current_usage: 0,
      status: "active",
      last_reset_at: null,
      is_threshold_alerts_sent: false,
      is_exhausted_alerts_sent: false,
      next_usage_reset_at: expect.stringMatching(/T00:00:00\.000Z$/),
    };
    await expectShown(unused);
    expect((await chat({ ...thing.chat, tokens: 150 })).status).toBe(200);
    await expectShown({ current_usage: 1.5, status: "active", is_threshold_alerts_sent: true });
    expect((await chat({ ...thing.chat, tokens: 51 })).status).toBe(200);
    await expectShown(
      { current_usage: 2.01, status: "exhausted", is_threshold_alerts_sent: true, is_exhausted_alerts_sent: true },
      "exhausted",
    );
    const refused = await chat(thing.chat);
    expect([refused.status, refused.error?.details?.reason]).toEqual([412, thing.reason]);

    expect(await thing.change({ reset_usage: true })).toMatchObject({ status: 200 });
    await expectShown({ ...unused, last_reset_at: expect.stringMatching(/Z$/) });
    expect((await chat({ ...thing.chat, tokens: 250 })).status).toBe(200);
    await expectShown({ current_usage: 2.5, status: "exhausted" }, "exhausted");
    expect((await chat(thing.chat)).status).toBe(412);
    const trail = async () => (await admin("GET", `/audit-logs?${span}&resource_type=${thing.audit}`)).body.records;
    await expect
      .poll(trail)
      .toContainEqual(
        expect.objectContaining({ action: "update", request_body: expect.stringContaining("reset_usage") }),
      );

    const larger = { ...budget, credit_limit: 3 };
    const sent = Array.isArray((await thing.read())[0]?.usage_limits) ? [larger] : larger;
    expect(await thing.change({ usage_limits: sent })).toMatchObject({ status: 200 });
    expect((await chat(thing.chat)).status).toBe(200);
    const [shown] = await budgetsOf(thing);
    expect(shown).toMatchObject({ credit_limit: 3, current_usage: 2.5, status: "active" });
    expect(await thing.change({ usage_limits: null })).toMatchObject({ status: 200 });
    expect((await thing.read())[0]?.usage_limits).toBeNull();
  });
});

it.each(Object.entries(levels))(
  "an edited period of %s is learnt before anybody asks, and so is a reset",
  async (_, make) => {
    const world = await startBudgeted();
    const { chat, clock, holdNext } = world;
    const thing = await make(world);
    const change = async (days: number) => {
      const edited = { ...budget, periodic_reset: null, periodic_reset_days: days };
      const sent = Array.isArray((await thing.read())[0]?.usage_limits) ? [edited] : edited;
      expect(await thing.change({ usage_limits: sent })).toMatchObject({ status: 200 });
    };
    const used = async () => new Set((await budgetsOf(thing)).map((one) => (one as Shown).current_usage));
    await change(2);
    expect((await chat({ ...thing.chat, tokens: 250 })).status).toBe(200);
    await expect.poll(used).toEqual(new Set([2.5]));
    await change(20);
    clock.now += 3 * day;
    expect(await used()).toEqual(new Set([2.5]));
    expect((await chat(thing.chat)).status).toBe(412);
    await change(4);
    clock.now += 2 * day;
    expect(await used()).toEqual(new Set([0]));
    expect((await chat(thing.chat)).status).toBe(200);
    // What is under way then is used in the period that begins.
    const { there, letGo } = holdNext();
    const answered = chat({ ...thing.chat, tokens: 30 });
    await there.over;
    expect(await thing.change({ reset_usage: true })).toMatchObject({ status: 200 });
    letGo.come();
    expect((await answered).status).toBe(200);
    await expect.poll(used).toEqual(new Set([0.3]));
  },
);

it("of a period that is over nothing is shown, but when it was", async () => {
  const { admin, chat, clock, workspace } = await startBudgeted();
  await admin("PUT", `/admin/workspaces/${workspace.slug}`, { usage_limits: [{ ...budget, alert_threshold: null }] });
  const read = async () => (await admin("GET", `/admin/workspaces/${workspace.slug}`)).body.usage_limits[0];
  await chat({ tokens: 300 });
  await expect.poll(read).toMatchObject({ current_usage: 3, status: "exhausted", is_exhausted_alerts_sent: true });
  const change = (limits: object) =>
    admin("PUT", `/admin/workspaces/${workspace.slug}`, {
      usage_limits: [{ ...budget, alert_threshold: null, ...limits }],
    });
  // A period that is made longer goes on.
  await change({ periodic_reset: null });
  expect(await read()).toMatchObject({ current_usage: 3, next_usage_reset_at: null });
  await change({});
  const { next_usage_reset_at: next } = await read();
  clock.now = Date.parse(next);
  expect(await read()).toMatchObject({
    current_usage: 0,
    status: "active",
    last_reset_at: next,
    next_usage_reset_at: new Date(clock.now + 7 * day).toISOString(),
    is_exhausted_alerts_sent: false,
  });
  expect((await chat()).status).toBe(200);
});

it("what is used is shown after a restart, of each budget of a workspace", async () => {
  const { admin, chat, gateway, workspace } = await startBudgeted();
  const path = `/admin/workspaces/${workspace.slug}`;
  await admin("PUT", path, { usage_limits: [budget, { type: "tokens", credit_limit: 150 }] });
  await chat({ tokens: 120 });
  await gateway.reload();
  const shown = [
    { type: "cost", current_usage: 1.2, status: "active", is_threshold_alerts_sent: true },
    { type: "tokens", current_usage: 120, status: "active", next_usage_reset_at: null, last_reset_at: null },
  ];
  // Both generations count, and tell each other as two processes do.
  await expect.poll(async () => (await admin("GET", path)).body.usage_limits).toMatchObject(shown);
  await chat({ tokens: 30 });
  expect((await chat()).error?.details).toMatchObject({ limit_type: "tokens", current: 150 });
});

it("a list asks the store for the usage of all its rows at once", async () => {
  const folder = folderOfFile();
  const { member } = await startBudgeted({
    "records-file": { use: supportPlugin(folder, "watched-records").use },
  });
  const integration = { name: "Vendor", slug: "vendor", ai_provider_id: "openai", key: "sk-0123456789" };
  await member("POST", "/integrations", integration);
  const made = Array.from({ length: 20 }, () =>
    member("POST", "/providers", { name: "More", integration_id: "vendor", usage_limits: budget }),
  );
  await Promise.all(made);
  watched.reads = 0;
  const { body } = await member("GET", "/providers");
  expect(body.data.length).toBeGreaterThan(20);
  // The page, its usage, and what the gateway may ask for itself meanwhile.
  expect(watched.reads).toBeLessThan(10);
});

it("where nobody counts, nothing is said of what is used", async () => {
  const { admin, workspace } = await startBudgeted({ "usage-limits": { enabled: false } });
  const path = `/admin/workspaces/${workspace.slug}`;
  await admin("PUT", path, { usage_limits: [budget] });
  expect((await admin("GET", path)).body.usage_limits).toEqual([
    { ...budget, periodic_reset_days: null, next_usage_reset_at: null },
  ]);
});

it("a provider whose rate is nothing refuses as other rates do (policies.md section 12.3, 30)", async () => {
  const world = await startBudgeted();
  const rate_limits = [{ type: "requests", unit: "rpm", value: 0 }];
  await world.member("PUT", `/providers/${await integration(world, "workspace")}`, { rate_limits });
  const { status, headers, error } = await world.chat({ provider: "vendor" });
  expect([status, headers.get("x-gateway-limit-source")]).toEqual([429, "provider_rate_limit_exceeded"]);
  expect([headers.has("retry-after"), error?.details]).toEqual([true, expect.objectContaining({ subject: "vendor" })]);
});

it("an edit that raises a budget above what is used alerts of nothing by itself", async () => {
  const world = await startBudgeted({ notifications: {} });
  const thing = await levels["an API key"]?.(world);
  if (!thing) throw new Error("there is no such level");
  const told = () => world.gateway.log.lines.filter(({ message }) => message === "notification").length;
  await world.chat({ ...thing.chat, tokens: 250 });
  await expect.poll(told).toBe(2);
  await thing.change({ usage_limits: { ...budget, credit_limit: 3 } });
  const flags = { is_threshold_alerts_sent: false, is_exhausted_alerts_sent: false };
  expect((await budgetsOf(thing))[0]).toMatchObject({ credit_limit: 3, current_usage: 2.5, ...flags });
  expect(told()).toBe(2);
  await world.chat({ ...thing.chat, tokens: 50 });
  await expect.poll(told).toBe(4);
});
