import { expect, it } from "vitest";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { startLimited, type Vendor } from "../../test/support/limited.ts";
import { supportPlugin } from "../../test/support/management.ts";
import { json } from "../../test/support/upstream.ts";

const perVendor = {
  conditions: [{ key: "provider", value: "*" }],
  group_by: [{ key: "provider" }],
  enforcement: "hard",
};
const fallback = {
  strategy: { mode: "fallback" },
  targets: [
    { provider: "@main-oai", override_params: { model: "bad" } },
    { provider: "@spare-oai", override_params: { model: "good" } },
  ],
};

/** A hard budget of both targets together, of which the first one fails with what is said of its usage. */
async function start(policy: object, usage?: object) {
  const vendor: Vendor = ({ model }, response) => {
    if (model === "bad") json(response, 500, { error: { message: "No.", type: "t" }, usage });
    return model === "bad";
  };
  const folder = folderOfFile();
  const limited = await startLimited(
    {
      "records-file": {},
      management: {},
      organisations: {},
      "policy-records": { usageLimits: { p: { ...perVendor, ...policy } } },
      "penny-prices": supportPlugin(folder, "penny-prices"),
      "usage-limits": {},
    },
    vendor,
  );
  limited.clock.now = Date.parse("2082-09-02T10:00Z");
  return limited;
}

const body = { max_tokens: 600 };

it.each([
  ["money", { type: "cost", credit_limit: 10 }],
  ["tokens", { type: "tokens", credit_limit: 1_000 }],
])("a target that has failed holds no %s while the next one is asked", async (_, policy) => {
  const { ask } = await start(policy);
  expect((await ask({ config: fallback, body, tokens: 4 })).status).toBe(200);
});

it("what a target that has failed says it used stays held", async () => {
  const { ask } = await start({ type: "tokens", credit_limit: 1_000 }, { prompt_tokens: 300, completion_tokens: 100 });
  expect((await ask({ config: fallback, body })).status).toBe(412);
});

it("a target that has failed was called, and its request stays held", async () => {
  const { ask } = await start({ type: "requests", credit_limit: 1 });
  expect((await ask({ config: fallback, body })).status).toBe(412);
});
