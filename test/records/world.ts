import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { LogRow } from "../../core/index.ts";
import { type ParsedFamily, parsed } from "../../plugins/metrics/testing.ts";
import { type Recording, startRecording } from "../../plugins/request-log/testing.ts";
import { type Caller, testOrganisation } from "../support/management.ts";
import { type RecordedVendor, startVendor } from "./vendor.ts";

/** A line of the access log, as far as it is looked at. */
export interface Line {
  readonly request: string;
  readonly role?: string;
  readonly who?: string;
  readonly method: string;
  readonly path: string;
  readonly ending: string;
  readonly status?: number;
  readonly provider?: string;
  readonly model?: string;
  readonly stream?: boolean;
  readonly attempts: number;
  readonly cache?: string;
  readonly calls: readonly CallLine[];
}

export interface CallLine {
  readonly path: string;
  readonly provider: string;
  readonly model?: string;
  readonly retry?: true;
  readonly headersAt?: number;
  readonly status: number | "given up";
}

/** Slugs, the vendor each is one of, and whether anybody knows its prices. */
export const providers = {
  alpha: { use: "openai", priced: true },
  beta: { use: "openai", priced: true },
  claude: { use: "anthropic", priced: true },
  ranks: { use: "cohere", priced: true },
  nobody: { use: "openai", priced: false },
} as const;
export type Slug = keyof typeof providers;

export interface Walker {
  /** The id and the name of its key. */
  readonly id: string;
  readonly key: string;
  readonly workspace: string;
  /** That of the workspace. */
  readonly slug: string;
  readonly user?: string;
}

export interface World {
  readonly recording: Recording;
  readonly vendor: RecordedVendor;
  /** Two in each of two workspaces; one has nobody's key. */
  readonly walkers: readonly Walker[];
  as(walker: Walker): Caller;
  headersOf(walker: Walker): Record<string, string>;
  /** Waits until all that was asked is over and recorded. */
  rest(): Promise<void>;
  rows(): Promise<LogRow[]>;
  lines(): Line[];
  metrics(): Promise<ReadonlyMap<string, ParsedFamily>>;
  stop(): Promise<void>;
}

export const often = { timeout: 10_000, interval: 3 };

const scopes = ["completions.write", "logs.list", "logs.view", "logs.write", "feedbacks.write"];

const budget = (key: string, type: string) => ({
  ...{ conditions: [{ key, value: "*" }], group_by: [{ key }] },
  ...{ credit_limit: 1_000_000_000, type },
});

/** What budgets are kept by. */
export const budgetKeys = ["api_key", "metadata.plan", "virtual_key", "model"] as const;
export const budgetTypes = ["cost", "tokens", "requests"] as const;
export const budgetNamed = (key: string, type: string): string => `${key.replace(".", "-")}-${type}`;
const budgets = Object.fromEntries(
  budgetKeys.flatMap((key) => budgetTypes.map((type) => [budgetNamed(key, type), budget(key, type)])),
);

/** Rates that nobody reaches; where two are met, there is less left of the one that stands further down. */
export const rates = {
  "key-tokens": { key: "api_key", value: "*", type: "tokens", limit: 1_000_000_000_000 },
  "plan-requests": { key: "metadata.plan", value: "*", type: "requests", limit: 10_000 },
  "claude-tokens": { key: "virtual_key", value: "claude", type: "tokens", limit: 10_000_000 },
  "beta-requests": { key: "virtual_key", value: "beta", type: "requests", limit: 1_000 },
} as const;

const rateLimits = Object.fromEntries(
  Object.entries(rates).map(([name, { key, value, type, limit }]) => [
    name,
    { conditions: [{ key, value }], group_by: [{ key }], type, unit: "rpd", value: limit },
  ]),
);

const plugins = {
  "stream-resume": {},
  "strategy-loadbalance": {},
  "strategy-conditional": {},
  checks: {},
  guardrails: {},
  "access-log": { trace: true },
  metrics: {
    ...{ modelLabel: true, apiKeyNameLabel: true, maxSeries: 1_000_000 },
    ...{ metadataLabels: true, metadataKeys: ["plan"] },
  },
  "counters-memory": {},
  "policy-records": { usageLimits: budgets, rateLimits },
  "usage-limits": {},
  "rate-limits": {},
  "format-openai-images": {},
  "format-rerank": {},
  "format-cohere-chat": {},
  pricing: {
    models: {
      "@alpha/*": { input: 0.123457, output: 7.654321 },
      "@beta/*": { input: 1.000001, output: 0.000003, request: 0.0000007 },
      "@claude/*": { input: 3, output: 15 },
      "@ranks/*": { searchUnit: 0.002 },
    },
    adjustments: { "@beta": { default: 0.7 } },
  },
};

/** A gateway that records, counts, limits and shows, before a vendor that does as it is told. */
export async function startWorld(): Promise<World> {
  const vendor = await startVendor();
  const more = Object.fromEntries(
    Object.entries(providers).map(([slug, { use }]) => [
      slug,
      { use, apiKey: `${slug}-key-0123`, baseUrl: `${vendor.url}/${slug}` },
    ]),
  );
  const recording = await startRecording({ capture: "full" }, { plugins, providers: more });
  const { gateway, admin } = recording;
  const { uuid, slug } = (await admin("POST", "/admin/workspaces", { name: "Second" })).body;
  const workspaces = [recording.workspace, { id: uuid as string, slug: slug as string }];
  const principalOf = ({ id, key, workspace, user }: Walker) => ({
    ...{ id, name: key, organisation: testOrganisation, workspace, scopes },
    ...(user !== undefined && { user }),
  });
  return {
    recording,
    vendor,
    walkers: workspaces.flatMap(({ id: workspace, slug }, at) => [
      { id: randomUUID(), key: `walker-${2 * at}`, workspace, slug },
      { id: randomUUID(), key: `walker-${2 * at + 1}`, workspace, slug, user: `user-${at}` },
    ]),
    as: (walker) => recording.as(principalOf(walker)),
    headersOf: (walker) => ({ "x-test-principal": JSON.stringify(principalOf(walker)) }),
    async rest() {
      await expect.poll(() => gateway.generation.active, often).toBe(0);
      await expect
        .poll(async () => (await admin("GET", "/health/logs")).body, often)
        .toMatchObject({ waiting: { records: 0 } });
    },
    async rows() {
      const rows: LogRow[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await admin("GET", `/logs?page_size=500${cursor === undefined ? "" : `&cursor=${cursor}`}`);
        rows.push(...page.body.data);
        cursor = page.body.next_cursor;
      }
      return rows;
    },
    lines: () =>
      gateway.log.lines.flatMap(({ message, fields }) => (message === "request" ? [fields as unknown as Line] : [])),
    metrics: async () => parsed(await (await fetch(`${gateway.url}/metrics`)).text()),
    async stop() {
      await recording.stop();
      vendor.stop();
    },
  };
}
