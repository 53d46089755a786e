import { expect, it } from "vitest";
import { startBudgeted } from "../../test/support/budgeted.ts";

it.each([
  ["stands still", 0],
  ["was set back", 60_000],
])("each reset by hand counts, also where the clock %s between two", async (_, back) => {
  const { member, chat, clock } = await startBudgeted();
  const keyed = { conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }] };
  const made = await member("POST", "/policies/usage-limits", { ...keyed, type: "tokens", credit_limit: 100 });
  const path = `/policies/usage-limits/${made.body.id}`;
  const statuses: number[] = [];
  for (let time = 0; time < 3; time++) {
    statuses.push((await chat({ tokens: 150 })).status, (await chat()).status);
    expect((await member("PUT", path, { reset_usage_for_value: "K1" })).status).toBe(200);
    clock.now -= back;
  }
  expect(statuses).toEqual([200, 412, 200, 412, 200, 412]);
});
