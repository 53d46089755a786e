import { expect, it } from "vitest";
import { startManagement } from "../../test/support/management.ts";

const shared = { conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }] };
const policies = {
  rateLimits: { often: { ...shared, type: "requests", unit: "rpm", value: 2 } },
  usageLimits: {
    money: { ...shared, type: "cost", credit_limit: 1 },
    words: { ...shared, type: "tokens", credit_limit: 100 },
  },
};
const limiting = { "counters-memory": {}, "rate-limits": {}, "usage-limits": {} };

it.each<[string, Record<string, unknown>, unknown[]]>([
  [
    "that nobody looks at",
    { "policy-records": policies },
    [
      { policies: ["often"], plugin: "rate-limits" },
      { policies: ["money", "words"], plugin: "usage-limits" },
    ],
  ],
  [
    "of money, without prices",
    { "policy-records": policies, ...limiting },
    [{ policies: ["money"], plugin: "pricing" }],
  ],
  ["of nothing that is looked at", { "policy-records": policies, ...limiting, pricing: {} }, []],
  [
    "of none where limits are switched off",
    { ...limiting, pricing: {}, "policy-records": policies, "rate-limits": { enabled: false } },
    [],
  ],
  ["of none where policies are switched off", { "policy-records": { ...policies, enabled: false } }, []],
  ["of none where there are none", { "policy-records": {} }, []],
])("a start warns of policies of the file %s", async (_, plugins, warned) => {
  const { gateway } = await startManagement(plugins);
  const lines = gateway.log.lines.filter(({ message }) => message.includes("limit nothing"));
  expect(lines.map(({ level, fields }) => ({ level, ...fields }))).toEqual(
    warned.map((fields) => ({ level: "warn", ...(fields as object) })),
  );
});
