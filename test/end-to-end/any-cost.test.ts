import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parsed } from "../../plugins/metrics/testing.ts";
import { type Recording, startRecording } from "../../plugins/request-log/testing.ts";
import { chance } from "../support/chance.ts";
import { testOrganisation } from "../support/management.ts";
import { startTellingVendor } from "../support/telling-vendor.ts";

let vendor: Awaited<ReturnType<typeof startTellingVendor>>;
let recording: Recording;
const slugs = ["alpha", "beta", "gamma"] as const;

beforeAll(async () => {
  vendor = await startTellingVendor();
  const { baseUrl } = vendor;
  const budget = {
    conditions: [{ key: "api_key", value: "*" }],
    group_by: [{ key: "api_key" }],
    credit_limit: 1_000_000,
  };
  recording = await startRecording(
    {},
    {
      plugins: {
        "stream-resume": {},
        checks: {},
        guardrails: {},
        metrics: {},
        "counters-memory": {},
        "policy-records": { usageLimits: { cost: { ...budget, type: "cost" }, tokens: { ...budget, type: "tokens" } } },
        "usage-limits": {},
        // Twelve places, as exact as costs are.
        pricing: {
          models: {
            "@alpha/*": { input: 0.123457, output: 7.654321 },
            "@beta/*": { input: 1.000001, output: 0.000003, request: 0.0000007 },
          },
        },
      },
      providers: Object.fromEntries(
        slugs.map((slug) => [slug, { use: "openai", apiKey: `${slug}-key-0123`, baseUrl }]),
      ),
    },
  );
});

afterAll(async () => {
  await recording.stop();
  vendor.stop();
});

const whole = ["tells", "keeps", "fails", "fails-with-usage"];
const streams = [
  ...["streams", "streams-silently", "streams-word-by-word", "streams-usage-first", "fails-inside", "fails"],
  ...["cuts", "cuts-with-usage", "cuts-at-once", "cuts-after-the-first-token-told", "cuts-when-finished"],
];

/** One exchange: what its vendors do, and how it gets to them. */
interface Step {
  readonly stream: boolean;
  readonly models: readonly { readonly slug: string; readonly model: string }[];
  readonly way: "single" | "fallback" | "hedge" | "shadow" | "cached" | "denied before" | "denied after" | "restarted";
  /** The client leaves with the first bytes of a stream. */
  readonly leaves: boolean;
}

const steps: fc.Arbitrary<Step> = fc.boolean().chain((stream) =>
  fc.record({
    stream: fc.constant(stream),
    models: fc.array(
      fc.record({ slug: fc.constantFrom(...slugs), model: fc.constantFrom(...(stream ? streams : whole)) }),
      { minLength: 2, maxLength: 2 },
    ),
    way: fc.constantFrom(
      "single",
      "fallback",
      "hedge",
      "shadow",
      "cached",
      "denied before",
      "denied after",
      "restarted",
    ),
    leaves: stream ? fc.boolean() : fc.constant(false),
  }),
);

const denies = (word: string) => [{ contains: { words: [word], operator: "none" }, deny: true }];

function configOf({ way, models }: Step, number: number): object {
  const targets = models.map(({ slug, model }) => ({
    provider: `@${slug}`,
    override_params: { model: `${model}:${number}` },
  }));
  switch (way) {
    case "fallback":
      return { strategy: { mode: "fallback" }, targets };
    case "restarted":
      return { strategy: { mode: "fallback" }, stream_resume: "restart", targets };
    case "hedge":
      return { strategy: { mode: "hedge", delay: 1 }, targets };
    case "shadow":
      return { strategy: { mode: "shadow" }, targets };
    case "cached":
      return { ...targets[0], cache: { mode: "simple" } };
    case "denied before":
      return { ...targets[0], input_guardrails: denies("time") };
    case "denied after":
      return { ...targets[0], output_guardrails: denies("tea") };
    default:
      return { ...targets[0] };
  }
}

let asked = 0;

interface Told {
  readonly id: string | null;
  readonly trace: string;
  /** What the headers of the answer say it cost. */
  readonly cost: string | null;
}

/** Asks for it, and again where the second answer is that of the cache. */
async function take(step: Step, key: string): Promise<readonly Told[]> {
  const number = asked++;
  const told: Told[] = [];
  for (const time of step.way === "cached" ? [0, 1] : [0]) {
    const trace = `any-${number}-${time}`;
    const principal = { id: key, name: key, organisation: testOrganisation, workspace: recording.workspace.id };
    const response = await fetch(`${recording.gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-test-principal": JSON.stringify(principal),
        "x-gateway-config": JSON.stringify(configOf(step, number)),
        "x-gateway-trace-id": trace,
        "x-gateway-debug": "true",
        ...(step.way === "restarted" && { "x-gateway-resume": "restart" }),
      },
      body: JSON.stringify({
        model: "m",
        stream: step.stream,
        messages: [{ role: "user", content: "What is the time?" }],
      }),
    });
    const reader = response.body?.getReader();
    let done = false;
    while (!done) {
      ({ done } = (await reader?.read().catch(() => ({ done: true }))) ?? { done: true });
      if (!step.leaves || done) continue;
      await reader?.cancel().catch(() => undefined);
      done = true;
    }
    const { headers } = response;
    told.push({ id: headers.get("x-gateway-request-id"), trace, cost: headers.get("x-gateway-cost") });
  }
  return told;
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
type Row = any;

const picodollars = (cents: number | null): bigint => BigInt(Math.round((cents ?? 0) * 1e10));
const total = (rows: readonly Row[]): bigint => rows.reduce((sum, { cost }) => sum + picodollars(cost), 0n);

/** Of all walks so far: a shadow, or what is left of a stream whose client is gone, may be recorded when the next one has begun. */
async function allRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 0, left = true; left; page++) {
    const { data } = (await recording.admin("GET", `/logs?page_size=100&current_page=${page}`)).body as { data: Row[] };
    left = data.length === 100;
    rows.push(...data);
  }
  return rows;
}

const rowsOf = (rows: readonly Row[], key: string): Row[] => rows.filter(({ api_key_name }) => api_key_name === key);

async function counted(key: string, type: string): Promise<number> {
  const { body } = await recording.admin("GET", `/policies/usage-limits/${type}/entities?search=${key}&page_size=100`);
  const found = (body.data as Row[]).find(({ value_key }) => value_key === `api_key:${key}`);
  return found?.current_usage ?? 0;
}

/** Dollars that were spent, by the metrics. */
async function spent(): Promise<number> {
  const text = await (await fetch(`${recording.gateway.url}/metrics`)).text();
  const samples = parsed(text).get("llm_cost_sum")?.samples ?? [];
  return samples.reduce((sum, { value }) => sum + value, 0);
}

it("what an exchange cost is the same in its records, in counters, in metrics and in its headers", async () => {
  const { numRuns, seed } = chance(6);
  const run = async (walk: readonly Step[]) => {
    const key = `walker-${asked}`;
    const told: Told[] = [];
    for (const step of walk) told.push(...(await take(step, key)));
    const unknown = (rows: readonly Row[]) =>
      rows.some(({ cost, usage_source }) => cost === null || usage_source === "estimated");
    await expect
      .poll(
        async () => {
          const all = await allRows();
          const rows = rowsOf(all, key);
          if (new Set(rows.map(({ trace_id }) => trace_id)).size < told.length) return "not all there";
          const tokens = rows.reduce((sum, { total_units }) => sum + (total_units ?? 0), 0);
          const dollars = Number(total(all)) / 1e12;
          return {
            tokens: tokens - (await counted(key, "tokens")),
            counted: Math.round((await counted(key, "cost")) * 1e12) - Number(total(rows)),
            metrics: Math.abs((await spent()) - dollars) < 1e-9,
          };
        },
        { timeout: 10_000 },
      )
      .toEqual({ tokens: 0, counted: 0, metrics: true });
    const rows = rowsOf(await allRows(), key);
    for (const { id, trace, cost } of told) {
      if (cost === null) continue;
      // A shadow is an exchange of its own, and nobody's answer.
      const own = rows.filter(({ internal_trace_id }) => internal_trace_id === id);
      if (cost === "unknown") expect(unknown(own), `${trace} is said to be unknown`).toBe(true);
      else expect(Math.round(Number(cost) * 1e12), trace).toBe(Number(total(own)));
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 15 }), run), {
    numRuns,
    seed,
    endOnFailure: true,
  });
});
