import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dryGeneration } from "../../core/cli/dry-generation.ts";
import { moduleLoader, readConfig } from "../../core/config/index.ts";
import { Policies, type UsagePolicy } from "../../core/index.ts";
import { newerThan } from "../../test/support/file-clock.ts";
import { folderOfFile, openManagement, startManagement } from "../../test/support/management.ts";
import { conditionsOf } from "./conditions.ts";
import { policiesInForce, usagePolicy } from "./in-force.ts";
import { declaredUsage, policyOptions } from "./options.ts";
import type { UsageDocument } from "./policy-store.ts";

it("conditions name providers with an @ or without", () => {
  const conditions = [
    { key: "virtual_key", value: ["@main-oai", "*"], excludes: "@spare-oai" },
    { key: "model", value: "@openai/*" },
  ];
  expect(conditionsOf(conditions)).toEqual([
    { key: "virtual_key", values: ["main-oai", "*"], excludes: ["spare-oai"] },
    { key: "model", values: ["@openai/*"], excludes: [] },
  ]);
});

it.each([
  ["workspace_id", "ws-claims-4b91e0", /names workspaces by id in the file, and not "ws-claims-4b91e0"/],
  ["config", "8a5e3f0e-6f07-4b0b-8e9a-6a7f4b7c2f18", /names configs by slug in the file/],
])("the file is not started with a %s that no request has", async (key, value, message) => {
  const broken = {
    conditions: [{ key, value: ["*", value] }],
    group_by: [{ key: "api_key" }],
    type: "requests",
    unit: "rpm",
    value: 2,
  };
  const started = startManagement({ "policy-records": { rateLimits: { broken } } }, { folder: folderOfFile() });
  await expect(started).rejects.toThrow(message);
});

it("counters of every workspace's policy are set to zero by the organisation, and by no workspace", async () => {
  const everybodys = {
    conditions: [{ key: "api_key", value: "*" }],
    group_by: [{ key: "api_key" }],
    type: "requests",
    credit_limit: 2,
  };
  const management = await openManagement(
    { "policy-records": { usageLimits: { everybodys } } },
    { folder: folderOfFile() },
  );
  try {
    const path = "/policies/usage-limits/everybodys/entities/none/reset";
    const { admin, as, workspace } = management;
    expect((await as({ workspace: workspace.id })("PUT", path)).status).toBe(403);
    expect((await admin("PUT", path)).status).toBe(404);
  } finally {
    await management.gateway.shutdown(0, 0);
  }
});

it("policies have the date of their file for a version, whoever starts with it when", async () => {
  const gatewayWith = (credit_limit: number) => {
    const file = join(folderOfFile(), "gateway.yaml");
    const policy = { conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }], type: "requests" };
    const usageLimits = { p: { ...policy, credit_limit } };
    const plugins = { "records-file": {}, management: {}, "auth-open": {}, "policy-records": { usageLimits } };
    writeFileSync(file, JSON.stringify({ plugins, providers: { simulator: {} } }));
    const start = async () => {
      const loader = moduleLoader();
      const generation = await dryGeneration(await readConfig(file, loader), loader);
      const [found] = (await generation.kernel.offered(Policies)?.usage(undefined, undefined)) ?? [];
      await generation.close();
      return found;
    };
    return { file, start };
  };
  const older = gatewayWith(1);
  await newerThan(older.file);
  const newer = gatewayWith(2);
  const [ofNewer, ofOlder] = [await newer.start(), await older.start()];
  expect([ofOlder?.creditLimit, ofNewer?.creditLimit]).toEqual([1, 2]);
  expect(ofOlder?.version).toBeLessThan(ofNewer?.version ?? 0);
  expect((await older.start())?.version).toBe(ofOlder?.version);
});

it("policies of the newer file hold, of every workspace and of one", async () => {
  const workspace_id = "22222222-2222-4222-8222-222222222222";
  const terms = { conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }], type: "cost" };
  const versionsAt = async (changedAt: number) => {
    const usageLimits = { all: { ...terms, credit_limit: 2 }, one: { ...terms, credit_limit: 2, workspace_id } };
    const declared = declaredUsage(policyOptions.parse({ usageLimits }), changedAt);
    const managed = declared.map((one) => ({ ...one, origin: "file", version: 1 }));
    const store = {
      keptLists: (read: (records: unknown) => unknown) => ({ find: () => read(managed), close: () => undefined }),
    } as unknown as Parameters<typeof policiesInForce<UsageDocument, UsagePolicy>>[0];
    const inForce = policiesInForce(store, declared, usagePolicy, changedAt);
    const found = [...(await inForce.find(undefined, undefined)), ...(await inForce.find("o", workspace_id))];
    return found.map(({ version }) => version);
  };
  expect(await versionsAt(1_000)).toEqual([1_000, 1_000, 1_000]);
  expect(await versionsAt(2_000)).toEqual([2_000, 2_000, 2_000]);
});
