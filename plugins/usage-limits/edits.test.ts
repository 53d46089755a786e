import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Budgeted, type Chat, startBudgeted } from "../../test/support/budgeted.ts";

const everyUser = { conditions: [{ key: "metadata._user", value: "*" }], group_by: [{ key: "metadata._user" }] };
const U1 = { ...everyUser, type: "cost", credit_limit: 80, alert_threshold: 60 };
const ana: Chat = { metadata: { _user: "ana" } };
/** A token is a cent. */
const dollars = (amount: number): Chat => ({ ...ana, tokens: Math.round(amount * 100) });

async function started(body: object) {
  const world = await startBudgeted({ notifications: {} });
  const made = await world.member("POST", "/policies/usage-limits", body);
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 200 });
  const path = `/policies/usage-limits/${made.body.id}`;
  return {
    ...world,
    path,
    /** What is counted for Ana, which keeps it, too. */
    used: async () => (await world.member("GET", `${path}?include_usage=true`)).body.value_key_usage_map,
    change: async (fields: object) => expect((await world.member("PUT", path, fields)).status).toBe(200),
    told: () => eventsOf(world).map(({ event }) => event),
  };
}

const eventsOf = ({ gateway }: Pick<Budgeted, "gateway">) =>
  gateway.log.lines.filter(({ message }) => message === "notification").map(({ fields }) => fields as never as Told);

interface Told {
  readonly event: string;
  readonly workspace_id: string | null;
}

describe("edits of a policy (policies.md section 8.3)", () => {
  it("a threshold that is raised above what is used is told again when it is crossed", async () => {
    const { chat, used, change, told } = await started(U1);
    await chat(dollars(65));
    await expect.poll(told).toEqual(["limit.threshold_crossed"]);
    await change({ alert_threshold: 70 });
    expect(await used()).toMatchObject({ "metadata._user:ana": { is_threshold_alerts_sent: false } });
    await chat(dollars(10));
    await expect.poll(told).toEqual(["limit.threshold_crossed", "limit.threshold_crossed"]);
  });

  it("a limit that is lowered below what is used is told of at the next check", async () => {
    const { chat, used, change, told } = await started({ ...U1, alert_threshold: null });
    await chat(dollars(50));
    await used();
    await change({ credit_limit: 40, alert_threshold: 30 });
    expect((await chat(ana)).status).toBe(412);
    await expect.poll(told).toEqual(["limit.threshold_crossed", "limit.exhausted"]);
    expect(await used()).toMatchObject({
      "metadata._user:ana": { current_usage: 50, is_threshold_alerts_sent: true, is_exhausted_alerts_sent: true },
    });
    expect(told()).toHaveLength(2);
  });

  it("a limit that is raised above what is used takes back both alerts", async () => {
    const { chat, used, change, told } = await started(U1);
    await chat(dollars(81));
    await expect.poll(told).toEqual(["limit.threshold_crossed", "limit.exhausted"]);
    await change({ credit_limit: 90 });
    expect(await used()).toMatchObject({
      "metadata._user:ana": { status: "active", is_threshold_alerts_sent: false, is_exhausted_alerts_sent: false },
    });
  });
});

it("what a limit and its threshold were when the first request was let in is not told of once they are edited", async () => {
  const { chat, used, change, told, holdNext } = await started({ ...U1, credit_limit: 64 });
  const { there, letGo } = holdNext();
  const answered = chat(dollars(65));
  await there.over;
  await change({ credit_limit: 90, alert_threshold: null });
  letGo.come();
  expect((await answered).status).toBe(200);
  const expected = { current_usage: 65, is_threshold_alerts_sent: false, is_exhausted_alerts_sent: false };
  await expect.poll(used).toMatchObject({ "metadata._user:ana": expected });
  expect(told()).toEqual([]);
});

it("a limit that is raised, and lowered again, is told of again", async () => {
  const { chat, used, change, told } = await started({ ...U1, alert_threshold: null });
  await chat(dollars(81));
  await expect.poll(told).toEqual(["limit.exhausted"]);
  await change({ credit_limit: 90 });
  await change({ credit_limit: 80 });
  expect(await used()).toMatchObject({ "metadata._user:ana": { is_exhausted_alerts_sent: false } });
  expect((await chat(ana)).status).toBe(412);
  await expect.poll(told).toEqual(["limit.exhausted", "limit.exhausted"]);
});

it("a limit that is lowered below what nobody has in mind any more is told of at the next check", async () => {
  const { chat, used, change, told, gateway } = await started({ ...U1, alert_threshold: null });
  await chat(dollars(50));
  await used();
  await gateway.reload();
  await change({ credit_limit: 40 });
  expect((await chat(ana)).status).toBe(412);
  await expect.poll(told).toEqual(["limit.exhausted"]);
});

it("a budget that is hard from now on makes room beside what was counted softly", async () => {
  const { chat, change } = await started({ ...everyUser, type: "requests", credit_limit: 3 });
  for (let time = 0; time < 2; time++) expect((await chat(ana)).status).toBe(200);
  await change({ enforcement: "hard" });
  const statuses = await Promise.all([1, 2, 3].map(async () => (await chat(ana)).status));
  expect(statuses.sort()).toEqual([200, 412, 412]);
});

const day = 86_400_000;
const every = (periodic_reset_days: number) => ({ periodic_reset: null, periodic_reset_days });

describe("a period that is edited, of a counter nobody asks for meanwhile", () => {
  const shown = (current_usage: number) => ({ "metadata._user:ana": { current_usage } });

  it("goes on where it is longer now", async () => {
    const { chat, used, change, clock } = await started({ ...U1, ...every(2) });
    await chat(dollars(70));
    expect(await used()).toMatchObject(shown(70));
    await change(every(20));
    clock.now += 3 * day;
    expect(await used()).toMatchObject(shown(70));
    expect((await chat(dollars(10))).status).toBe(200);
    expect((await chat(ana)).status).toBe(412);
  });

  it("is over where it is shorter now", async () => {
    const { chat, used, change, clock } = await started({ ...U1, ...every(20) });
    await chat(dollars(81));
    expect(await used()).toMatchObject(shown(81));
    await change(every(2));
    clock.now += 3 * day;
    expect(await used()).toMatchObject(shown(0));
    expect((await chat(ana)).status).toBe(200);
  });

  it("goes on where nothing of it was kept before", async () => {
    const { chat, used, change, clock } = await started({ ...U1, ...every(2) });
    await chat(dollars(50));
    await change(every(20));
    clock.now += 3 * day;
    expect(await used()).toMatchObject(shown(50));
  });

  it("is learnt in every gateway, and after a restart", async () => {
    const { chat, used, change, clock, gateway } = await started({ ...U1, ...every(2) });
    await chat(dollars(81));
    expect(await used()).toMatchObject(shown(81));
    await change(every(20));
    await gateway.reload();
    clock.now += 3 * day;
    expect(await used()).toMatchObject(shown(81));
    expect((await chat(ana)).status).toBe(412);
  });
});

it("a period that is edited does not hide when there was a reset last", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2032-01-28T22:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const { change, member, path } = await started({ ...U1, periodic_reset: "monthly" });
  vi.setSystemTime(Date.parse("2032-02-03T10:00Z"));
  const last_reset_at = "2032-02-01T00:00:00.000Z";
  expect((await member("GET", path)).body).toMatchObject({ last_reset_at });
  await change({ periodic_reset: "weekly" });
  const next_usage_reset_at = "2032-02-09T00:00:00.000Z";
  expect((await member("GET", path)).body).toMatchObject({ last_reset_at, next_usage_reset_at });
});

it("events say whose workspace it is", async () => {
  const world = await started(U1);
  await world.chat(dollars(81));
  await expect.poll(() => eventsOf(world).map(({ workspace_id }) => workspace_id)).toHaveLength(2);
  expect(eventsOf(world)).toMatchObject([{ workspace_id: world.workspace.id }, { workspace_id: world.workspace.id }]);
});

it("a fraction of a token is room for a request, and is shown as the data path has it", async () => {
  const { chat, used } = await started({ ...everyUser, type: "tokens", credit_limit: 2.5 });
  await chat({ ...ana, tokens: 2 });
  expect(await used()).toMatchObject({ "metadata._user:ana": { current_usage: 2, status: "active" } });
  expect((await chat({ ...ana, tokens: 1 })).status).toBe(200);
  expect(await used()).toMatchObject({ "metadata._user:ana": { current_usage: 3, status: "exhausted" } });
  expect((await chat(ana)).status).toBe(412);
});

it("a vendor's fractions of tokens count as whole ones, and cost what they cost", async () => {
  const world = await started({ ...everyUser, type: "tokens", credit_limit: 100 });
  const { body } = await world.member("POST", "/policies/usage-limits", { ...U1, name: "money" });
  const rate = { ...everyUser, type: "tokens", unit: "rpw", value: 13 };
  await world.member("POST", "/policies/rate-limits", rate);
  expect((await world.chat({ ...ana, tokens: 12.5 })).status).toBe(200);
  await expect.poll(world.used).toMatchObject({ "metadata._user:ana": { current_usage: 13 } });
  const money = await world.member("GET", `/policies/usage-limits/${body.id}/entities`);
  expect(money.body.data).toMatchObject([{ current_usage: 0.125 }]);
  expect((await world.chat(ana)).status).toBe(429);
});
