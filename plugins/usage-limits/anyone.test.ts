import { expect, it } from "vitest";
import { Organisations } from "../../core/index.ts";
import { startBudgeted } from "../../test/support/budgeted.ts";

const everybodys = {
  conditions: [{ key: "metadata._user", value: "*" }],
  group_by: [{ key: "metadata._user" }],
  type: "cost",
  credit_limit: 0.05,
};
const path = "/policies/usage-limits/everybodys";
const nobody = { organisation: undefined, workspace: undefined };
const ana = { _user: "ana" };

async function started() {
  const world = await startBudgeted({ "policy-records": { usageLimits: { everybodys } } });
  const home = await world.gateway.generation.kernel.offered(Organisations)?.home();
  const operator = world.as({ organisation: home?.organisation as string });
  const entities = async (caller = operator) => (await caller("GET", `${path}/entities`)).body.data;
  return { ...world, home, operator, entities };
}

it("what callers of no organisation have used is seen by the home organisation, and by nobody else", async () => {
  const { chat, admin, as, home, operator, entities } = await started();
  expect((await chat({ who: nobody, tokens: 5, metadata: ana })).status).toBe(200);
  expect((await chat({ who: nobody, metadata: ana })).status).toBe(412);
  await expect
    .poll(entities)
    .toMatchObject([
      { value_key: "metadata._user:ana", current_usage: 0.05, status: "exhausted", organisation_id: null },
    ]);
  expect(await entities(admin)).toEqual([]);
  expect(
    await entities(as({ organisation: home?.organisation as string, workspace: home?.workspace as string })),
  ).toEqual([]);
  const shown = await operator("GET", `${path}?include_usage=true`);
  expect(shown.body.value_key_usage_map).toMatchObject({
    "metadata._user:ana": { current_usage: 0.05, status: "exhausted" },
  });
});

it("it is set to zero by the home organisation, and by nobody else", async () => {
  const { chat, admin, operator, entities } = await started();
  await chat({ who: nobody, tokens: 5, metadata: ana });
  await expect.poll(async () => (await entities())[0]?.status).toBe("exhausted");
  const [{ id }] = await entities();
  const reset = `${path}/entities/${id}/reset`;
  expect((await admin("PUT", reset)).status).toBe(404);
  expect((await chat({ who: nobody, metadata: ana })).status).toBe(412);
  expect((await operator("PUT", reset)).status).toBe(200);
  expect(await entities()).toMatchObject([{ id, current_usage: 0, status: "active" }]);
  expect((await chat({ who: nobody, metadata: ana })).status).toBe(200);
});

it("callers of the home organisation have counters of their own, with ids and resets of their own", async () => {
  const { chat, home, operator, entities } = await started();
  await chat({ who: nobody, tokens: 2, metadata: ana });
  await chat({
    who: { organisation: home?.organisation as string, workspace: home?.workspace as string },
    tokens: 5,
    metadata: ana,
  });
  await expect.poll(entities).toMatchObject([
    { current_usage: 0.05, status: "exhausted" },
    { current_usage: 0.02, status: "active", organisation_id: null },
  ]);
  const shown = await operator("GET", `${path}?include_usage=true`);
  expect(shown.body.value_key_usage_map["metadata._user:ana"]).toMatchObject({ current_usage: 0.05 });
  const [own, anyone] = await entities();
  expect(own.id).not.toBe(anyone.id);
  await operator("PUT", `${path}/entities/${own.id}/reset`);
  expect(await entities()).toMatchObject([{ current_usage: 0 }, { current_usage: 0.02 }]);
});
