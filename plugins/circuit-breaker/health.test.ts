import { expect, it } from "vitest";
import type { Principal } from "../../core/index.ts";
import { startManagement, testOrganisation } from "../../test/support/management.ts";
import { exchangeOf } from "../../test/support/walks.ts";
import type { Circuits } from "./circuits.ts";
import { healthEndpoint } from "./health.ts";

it("lists to a workspace its own circuits, to an organisation those of its workspaces, to another one none", async () => {
  const strategy = { mode: "fallback", cb_config: { failure_threshold: 1, cooldown_interval: 30_000 } };
  const { as, admin } = await startManagement(
    {
      routing: { configs: { guarded: { strategy, targets: [{ provider: "@simulator" }] } } },
      "strategy-fallback": {},
      "circuit-breaker": {},
      "format-openai-chat": {},
    },
    { providers: { simulator: {} } },
  );
  const [claims, sales] = ["22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"];
  for (const workspace of [claims, sales]) {
    const body = { model: "fault-status-503", messages: [] };
    await as({ workspace })("POST", "/chat/completions", body, { "x-gateway-config": "guarded" });
  }
  const seen = async (caller: typeof admin) =>
    (await caller("GET", "/health/targets")).body.data.map(({ tenant }: { tenant: string }) => tenant.split("/")[1]);
  expect(await seen(as({ workspace: claims }))).toEqual([claims]);
  expect(await seen(admin)).toEqual([claims, sales]);
  expect(await seen(as({ organisation: "44444444-4444-4444-8444-444444444444" }))).toEqual([]);
});

it.each([
  [
    "the organisation of the installation",
    async () => ({ organisation: testOrganisation, workspace: "w" }),
    ["", "own"],
  ],
  ["another organisation", async () => ({ organisation: "another", workspace: "w" }), ["own"]],
  ["an organisation, while the store is down", () => Promise.reject(new Error("down")), ["own"]],
  ["an organisation, where nobody keeps any", undefined, ["own"]],
] as const)("lists circuits of callers of no organisation to %s: %#", async (_, home, shown) => {
  const tenants = ["", `${testOrganisation}/own`, "another/theirs", `${testOrganisation}/part/theirs`];
  const list: Circuits["list"] = (sees) =>
    tenants.filter(sees).map((tenant) => ({ tenant, circuit: {}, policy: {} })) as never;
  const principal: Principal = { id: "admin", organisation: testOrganisation };
  const answered = await healthEndpoint({ list } as Circuits, home && { home }).serve?.({
    ...exchangeOf({}),
    principal,
  });
  const { data } = (answered as { body: { data: { tenant?: string }[] } }).body;
  expect(data.map(({ tenant = "" }) => tenant.split("/").at(-1))).toEqual(shown);
});
