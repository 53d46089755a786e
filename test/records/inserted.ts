import fc from "fast-check";
import { expect } from "vitest";
import type { LogRow } from "../../core/index.ts";
import { plans } from "./asked.ts";
import { picodollars } from "./records.ts";
import type { World } from "./world.ts";

const amounts = fc.record({ input: fc.integer({ min: 1, max: 5000 }), output: fc.integer({ min: 1, max: 500 }) });

/** A request that went elsewhere, and what somebody says of it. */
const logs = (traces: readonly string[]) =>
  fc.record({
    walker: fc.nat({ max: 3 }),
    trace: fc.constantFrom(...traces, undefined),
    slug: fc.constantFrom("alpha", "nobody", undefined),
    used: fc.option(amounts, { nil: undefined }),
    status: fc.constantFrom(200, 201, 429, 500),
    plan: fc.constantFrom(...plans, undefined),
    stream: fc.boolean(),
  });
type Log = ReturnType<typeof logs> extends fc.Arbitrary<infer One> ? One : never;

const bodyOf = ({ trace, used, status, plan, stream }: Log) => ({
  request: { url: "https://api.example/v1/chat?key=secret", method: "post", body: { model: "elsewhere" } },
  response: {
    ...{ status, streamingMode: stream, time: 7 },
    body: { choices: [], ...(used && { usage: { prompt_tokens: used.input, completion_tokens: used.output } }) },
  },
  metadata: { ...(trace !== undefined && { trace_id: trace }), ...(plan !== undefined && { plan }) },
});

/** What the prices of this provider come to, a million tokens of either kind. */
const costOf = ({ slug, used }: Log): bigint | undefined =>
  slug === "alpha" && used ? BigInt(used.input) * 123_457n + BigInt(used.output) * 7_654_321n : undefined;

/** What is inserted is found as it was said; all rows there are then. */
export async function insert(world: World, traces: readonly string[], seed: number): Promise<LogRow[]> {
  const inserted = new Map<string, Log>();
  for (const log of fc.sample(logs(traces), { numRuns: 8, seed })) {
    const walker = world.walkers[log.walker] as World["walkers"][number];
    const headers: Record<string, string> = log.slug === undefined ? {} : { "x-gateway-provider": `@${log.slug}` };
    const { status, body } = await world.as(walker)("POST", "/logs", bodyOf(log), headers);
    expect(status, JSON.stringify(body)).toBe(200);
    inserted.set(body.ids[0], log);
  }
  await world.rest();
  const rows = await world.rows();
  for (const [id, log] of inserted) expectSaid(rows.find((row) => row.id === id) as LogRow, log, world);
  return rows;
}

function expectSaid(row: LogRow, log: Log, world: World): void {
  const { trace, slug, used, status, plan, stream } = log;
  const walker = world.walkers[log.walker] as World["walkers"][number];
  const said = JSON.stringify([row, log]);
  expect(row, said).toMatchObject({
    ...{ source: "custom_log", endpoint_type: "customLog", ai_model: "elsewhere", response_status_code: status },
    ...{ is_success: status < 300, stream_mode: stream ? 1 : 0, trace_id: trace ?? row.id, response_time: 7 },
    ...{ api_key_id: walker.id, api_key_name: walker.key, workspace_slug: walker.slug, request_method: "POST" },
    ...{ ai_org: slug === undefined ? null : "openai", provider_slug: slug ?? null, virtual_key: slug ?? null },
    ...{ req_units: used?.input ?? null, res_units: used?.output ?? null, usage_source: used ? "provider" : null },
    ...{ total_units: used ? used.input + used.output : null, cache_status: null, cache_savings: 0 },
    ...{ "metadata.key": plan === undefined ? [] : ["plan"], "metadata.value": plan === undefined ? [] : [plan] },
  });
  expect(row.request_url, said).not.toContain("secret");
  expect(row.cost === null ? undefined : picodollars(row.cost), said).toBe(costOf(log));
}
