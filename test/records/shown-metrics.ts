import { expect } from "vitest";
import type { LogRow } from "../../core/index.ts";
import type { ParsedFamily } from "../../plugins/metrics/testing.ts";
import { picodollars, type Seen } from "./records.ts";
import type { Line } from "./world.ts";

type Labels = Readonly<Record<string, string>>;
type Families = ReadonlyMap<string, ParsedFamily>;

const cacheLabel = (status: string | null): string => {
  if (status === null || status === "DISABLED") return "disabled";
  return status.endsWith("HIT") ? "hit" : "miss";
};

/** The labels that a record has the values of. */
const labelsOf = (row: LogRow): Labels => ({
  provider: row.ai_org ?? "N/A",
  source: row.source,
  stream: `${row.stream_mode === 1}`,
  cacheStatus: cacheLabel(row.cache_status),
  model: row.ai_model ?? "N/A",
  api_key_name: row.api_key_name ?? "N/A",
  metadata_plan: row["metadata.value"][row["metadata.key"].indexOf("plan")] ?? "N/A",
});

const keyOf = (labels: Labels, names: readonly string[]): string =>
  JSON.stringify(names.map((name) => labels[name] ?? ""));

const names = ["provider", "source", "stream", "cacheStatus", "model", "api_key_name", "metadata_plan"];
const withCode = ["code", "method", ...names];

/** The sums of a metric by these labels, of the keys that walk; of what nobody asked for there is nothing. */
function shown(families: Families, name: string, by: readonly string[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { samples } of families.values())
    for (const sample of samples)
      if (sample.name === name && sample.labels.api_key_name?.startsWith("walker"))
        add(sums, keyOf(sample.labels, by), sample.value);
  return sums;
}

function add(sums: Map<string, number>, key: string, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

const withoutZeros = (sums: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...sums].filter(([, value]) => value !== 0).sort());

/** Whether it is asked by a client: copies are no requests. */
const isRequest = ({ role }: Line): boolean => role === undefined;

/** What is counted is what is recorded, label by label. */
export function expectMetrics(families: Families, seen: Seen): void {
  const { rows, lines } = seen;
  const requests = new Map<string, number>();
  for (const line of lines.filter(isRequest)) {
    const row = rows.find(({ id }) => id === line.request);
    if (!row) continue;
    const labels = { ...labelsOf(row), code: `${line.status ?? 499}`, method: line.method };
    add(requests, keyOf(labels, withCode), 1);
  }
  for (const name of [
    "request_count",
    "http_request_duration_seconds_count",
    "gateway_request_duration_milliseconds_count",
  ])
    expect(withoutZeros(shown(families, name, withCode)), name).toEqual(withoutZeros(requests));
  expectSpent(families, rows);
  expectCalls(families, seen);
}

/** So are tokens, and what they cost. */
export function expectSpent(families: Families, rows: readonly LogRow[]): void {
  const tokens = new Map<string, number>();
  const dollars = new Map<string, bigint>();
  for (const row of rows) {
    const key = keyOf(labelsOf(row), names);
    add(tokens, key, row.total_units ?? 0);
    dollars.set(key, (dollars.get(key) ?? 0n) + picodollars(row.cost));
  }
  expect(withoutZeros(shown(families, "llm_token_sum", names))).toEqual(withoutZeros(tokens));
  const cost = new Map(
    [...shown(families, "llm_cost_sum", names)].map(([key, value]) => [key, Math.round(value * 1e12)]),
  );
  const costs = new Map([...dollars].map(([key, value]) => [key, Number(value)]));
  expect(withoutZeros(cost)).toEqual(withoutZeros(costs));
  expectUnknown(families, rows);
}

/** Each model belongs to one target of one request: what its record does not know is counted under it. */
function expectUnknown(families: Families, rows: readonly LogRow[]): void {
  const counted = new Map<string, number>();
  for (const { labels, value } of families.get("llm_cost_unknown_count")?.samples ?? [])
    if (/:\d+$/.test(labels.model ?? "")) add(counted, `${labels.provider} ${labels.model}`, value);
  const recorded = new Map<string, number>();
  for (const { cost, ai_org, ai_model } of rows) if (cost === null) add(recorded, `${ai_org} ${ai_model}`, 1);
  expect(withoutZeros(counted)).toEqual(withoutZeros(recorded));
}

/** A call that was given up may not have reached its vendor. */
function expectCalls(families: Families, { lines, calls }: Seen): void {
  const counted = new Map<string, number>();
  for (const { name, labels, value } of families.get("llm_request_duration_milliseconds")?.samples ?? [])
    if (name.endsWith("_count") && labels.model) add(counted, labels.model, value);
  const made = new Map<string, number>();
  for (const { model } of calls) add(made, model, 1);
  const tried = new Map<string, number>();
  for (const line of lines) for (const { model } of line.calls) if (model !== undefined) add(tried, model, 1);
  for (const [model, count] of made) expect(counted.get(model) ?? 0, model).toBeGreaterThanOrEqual(count);
  for (const [model, count] of counted)
    if (tried.has(model)) expect(count, model).toBeLessThanOrEqual(tried.get(model) ?? 0);
}
