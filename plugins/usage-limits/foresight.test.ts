import { expect, it } from "vitest";
import { explainRequest } from "../../core/cli/explain/explain-request.ts";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { startLimited, workspace } from "../../test/support/limited.ts";
import { supportPlugin, testOrganisation } from "../../test/support/management.ts";

const everybody = { conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }] };
const hard = { ...everybody, enforcement: "hard" };

/** What explain says after K1 has used ten tokens, a cent each; the question is of 26 tokens, and an answer of 14. */
async function explained(usageLimits: object, { storeIsDown = false } = {}) {
  const { ask, gateway, clock } = await startLimited({
    "records-file": {},
    management: {},
    organisations: {},
    "policy-records": { usageLimits },
    "penny-prices": supportPlugin(folderOfFile(), "penny-prices"),
    "usage-limits": {},
  });
  clock.now = Date.parse("2082-09-02T10:00Z");
  expect((await ask({ tokens: 10, body: { max_tokens: 14 } })).status).toBe(200);
  clock.storeIsDown = storeIsDown;
  const question = { model: "gpt-4o", max_tokens: 14, messages: [{ role: "user", content: "What is the time now?" }] };
  const principal = { organisation: testOrganisation, workspace, id: "K1" };
  const { decisions, refused, route } = await explainRequest({
    generation: gateway.generation,
    request: {
      method: "POST",
      url: "/v1/chat/completions",
      headers: {
        "content-type": "application/json",
        "x-test-principal": JSON.stringify(principal),
        "x-gateway-provider": "@main-oai",
      },
      body: Buffer.from(JSON.stringify(question).padEnd(104)),
    },
    secrets: [],
    configuredHeaders: () => new Set(),
  });
  const told = decisions?.map(({ message }) => message).filter((message) => message.includes("budget"));
  return { told, status: refused?.status, body: JSON.stringify(route?.targets[0]?.refused?.body) };
}

it.each<[string, object, string]>([
  ["room for its tokens", { ...hard, type: "tokens", credit_limit: 50 }, "10 used, 40 expected, lets it through"],
  [
    "no room for its tokens",
    { ...hard, type: "tokens", credit_limit: 49 },
    "10 used, 40 expected, 39 left, would be refused",
  ],
  ["room afterwards", { ...everybody, type: "tokens", credit_limit: 11 }, "10 used, lets it through"],
  ["room for a request", { ...hard, type: "requests", credit_limit: 2 }, "1 used, lets it through"],
  ["no room for a request", { ...hard, type: "requests", credit_limit: 1 }, "1 used, would be refused"],
])("explain says whether there is %s", async (_, policy, rest) => {
  const { told } = await explained({ P1: policy });
  expect(told?.map((one) => one.replace(/^.*\): | as api_key:K1/g, ""))).toEqual([rest]);
});

it("explain says what is expected of a whole request at the target whose price it has", async () => {
  const { told, body } = await explained({ P1: { ...hard, type: "cost", credit_limit: 0.49 } });
  expect(told).toEqual([
    "hard budget of policy P1 (0.49 USD): 0.1 used as api_key:K1, lets it through",
    "hard budget of policy P1 (0.49 USD): 0.1 used as api_key:K1, 0.4 expected, 0.39 left, would be refused",
  ]);
  expect(body).toContain(
    "this request is expected to use 0.4 USD, more than the 0.39 USD left of the usage limit for policy P1 (0.49 USD)",
  );
});

it("explain says that nothing is let through without the store, where that is chosen", async () => {
  const policy = { ...everybody, type: "tokens", credit_limit: 50 };
  expect(await explained({ P1: { ...policy, on_store_error: "deny" } }, { storeIsDown: true })).toMatchObject({
    status: 503,
  });
  expect(await explained({ P1: policy }, { storeIsDown: true })).toMatchObject({ status: undefined });
});
