import { expect, it } from "vitest";
import { startLimited } from "../../test/support/limited.ts";

it("a hard budget of money is not overspent by requests that come before prices were read", async () => {
  const { ask, clock, waiting, release } = await startLimited({
    "records-file": {},
    management: {},
    organisations: {},
    pricing: {},
    "policy-records": {
      usageLimits: {
        p: {
          conditions: [{ key: "api_key", value: "*" }],
          group_by: [{ key: "api_key" }],
          type: "cost",
          credit_limit: 1,
          enforcement: "hard",
        },
      },
    },
    "usage-limits": {},
  });
  clock.now = Date.parse("2082-09-02T10:00Z");
  // Half a dollar and a little more each.
  const asked = Array.from({ length: 4 }, () => ask({ say: { held: true }, body: { max_tokens: 50_001 } }));
  const statuses: number[] = [];
  for (const one of asked) void one.then(({ status }) => statuses.push(status));
  await expect.poll(() => statuses.length + waiting.length, { timeout: 10_000 }).toBe(4);
  release();
  await Promise.all(asked);
  expect(statuses.toSorted()).toEqual([200, 412, 412, 412]);
});
