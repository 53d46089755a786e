import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Asked, type Recording, startRecording } from "../../plugins/request-log/testing.ts";
import { testOrganisation } from "../support/management.ts";
import { startTellingVendor } from "../support/telling-vendor.ts";

/** A budget that nobody uses up, counted for each value of something. */
const budget = (key: string, type: "cost" | "tokens") => ({
  conditions: [{ key, value: "*" }],
  group_by: [{ key }],
  type,
  credit_limit: 1_000_000,
});
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Shown = any;

let vendor: Awaited<ReturnType<typeof startTellingVendor>>;
let recording: Recording;

beforeAll(async () => {
  vendor = await startTellingVendor();
  const { baseUrl } = vendor;
  const model = { input: 1, output: 2 };
  const dearer = { input: 10, output: 20 };
  recording = await startRecording(
    {},
    {
      plugins: {
        "stream-resume": {},
        checks: {},
        guardrails: {},
        "counters-memory": {},
        "policy-records": {
          usageLimits: {
            "key-cost": budget("api_key", "cost"),
            "key-tokens": budget("api_key", "tokens"),
            "provider-cost": budget("virtual_key", "cost"),
            "provider-tokens": budget("virtual_key", "tokens"),
          },
        },
        "usage-limits": {},
        // At alpha an answer with usage is $0.0012, at beta ten times as much; nobody knows what gamma takes, nor of delta what
        // models cost but the one it answers with.
        pricing: {
          models: {
            "@alpha/*": model,
            "@beta/*": dearer,
            "@delta/m": model,
            "openai/gpt-own": model,
            "acme/own": model,
          },
        },
      },
      providers: Object.fromEntries(
        ["alpha", "beta", "gamma", "delta"].map((slug) => [
          slug,
          { use: "openai", apiKey: `${slug}-key-0123`, baseUrl },
        ]),
      ),
    },
  );
});

afterAll(async () => {
  await recording.stop();
  vendor.stop();
});

const at = (provider: string, model: string, more: object = {}) => ({
  provider: `@${provider}`,
  override_params: { model },
  ...more,
});
const noTea = { contains: { words: ["tea"], operator: "none" }, deny: true };

const asks = { role: "user", content: "What is the time?" };

/** Tokens of the question and of the answer, as they are counted here. */
const counted = { req_units: 5 + 6, res_units: 5 };
const estimate = (counted.req_units * 1 + counted.res_units * 2) / 10_000;

/** Of an answer that broke off after its first word. */
const begun = { cost: (11 * 1 + 1 * 2) / 10_000, req_units: 11, res_units: 1, usage_source: "estimated" };

const reported = { usage_source: "provider" };

interface Case {
  readonly config: object;
  readonly stream?: boolean;
  /** Rows, the last one being that of the answer. */
  readonly rows: readonly object[];
  readonly repeated?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

const cases: Readonly<Record<string, Case>> = {
  "a whole answer": {
    config: at("alpha", "tells"),
    rows: [{ cost: 0.12, total_units: 1100, cache_savings: 0, ...reported, cost_source: "config" }],
  },
  "at another provider": { config: at("beta", "tells"), rows: [{ cost: 1.2, total_units: 1100 }] },
  "nobody knows the price": {
    config: at("gamma", "tells"),
    rows: [{ cost: null, total_units: 1100, ...reported, cost_source: null }],
  },
  "the price of the model that answered": { config: at("delta", "tells"), rows: [{ cost: 0.12, total_units: 1100 }] },
  "an answer that does not say what it used": {
    config: at("alpha", "keeps"),
    rows: [{ cost: estimate, ...counted, usage_source: "estimated" }],
  },
  "a stream": { config: at("alpha", "streams"), stream: true, rows: [{ cost: 0.12, total_units: 1100 }] },
  "a stream that does not say what it used": {
    config: at("alpha", "streams-silently"),
    stream: true,
    rows: [{ cost: estimate, ...counted }],
  },
  "a stream that breaks off": { config: at("alpha", "cuts"), stream: true, rows: [{ ...begun, is_success: false }] },
  "a stream that breaks off at a vendor without a price": {
    config: at("gamma", "cuts"),
    stream: true,
    rows: [{ cost: null, total_units: 12, usage_source: "estimated" }],
  },
  "a stream that reports an error inside": { config: at("alpha", "fails-inside"), stream: true, rows: [begun] },
  "a stream that breaks off before anything was said": {
    config: at("alpha", "cuts-at-once"),
    stream: true,
    rows: [{ cost: 0, total_units: null, usage_source: null }],
  },
  "a stream that breaks off after it has said what it used": {
    config: at("alpha", "cuts-with-usage"),
    stream: true,
    rows: [{ cost: 0.12, total_units: 1100, is_success: false, usage_source: "estimated" }],
  },
  "a stream that breaks off after it has said what its prompt and the first token used": {
    config: at("alpha", "cuts-after-the-first-token-told"),
    stream: true,
    rows: [{ cost: 0.101, req_units: 1000, res_units: 5, is_success: false, usage_source: "estimated" }],
  },
  "a stream that breaks off behind its end": {
    config: at("alpha", "cuts-when-finished"),
    stream: true,
    rows: [{ cost: 0.12, total_units: 1100, ...reported }],
  },
  "an answer in place of a stream that is put together and breaks off": {
    config: {
      strategy: { mode: "fallback" },
      output_guardrails: [{ contains: { words: ["Four"] }, deny: true }],
      targets: [at("alpha", "cuts"), at("beta", "streams")],
    },
    rows: [
      { ...begun, virtual_key: "alpha" },
      { cost: 1.2, virtual_key: "beta" },
    ],
    stream: true,
  },
  "a stream that breaks off and is begun anew elsewhere": {
    config: {
      strategy: { mode: "fallback" },
      stream_resume: "restart",
      targets: [at("alpha", "cuts"), at("beta", "streams")],
    },
    headers: { "x-gateway-resume": "restart" },
    rows: [
      { ...begun, virtual_key: "alpha" },
      { cost: 1.2, virtual_key: "beta", is_success: true },
    ],
    stream: true,
  },
  "a failure": { config: at("alpha", "fails"), rows: [{ cost: 0, total_units: null }] },
  "a failure that says what it used": {
    config: at("alpha", "fails-with-usage"),
    rows: [{ cost: 0.12, total_units: 1100, is_success: false }],
  },
  "retries that say what they used": {
    config: at("alpha", "fails-with-usage", { retry: { attempts: 2, use_retry_after_header: true } }),
    rows: [{ cost: 0.36, total_units: 3300 }],
  },
  "retries of a request that a config has changed": {
    config: at("alpha", "keeps", {
      override_params: { model: "keeps", messages: [asks, asks] },
      output_guardrails: [{ ...noTea, deny: false }],
      retry: { attempts: 1, on_status_codes: [246] },
    }),
    rows: Array(2).fill({ cost: (2 * 5 + 9 + counted.res_units * 2) / 10_000, usage_source: "estimated" }),
  },
  "a fallback": {
    config: { strategy: { mode: "fallback" }, targets: [at("alpha", "fails-with-usage"), at("beta", "tells")] },
    rows: [
      { cost: 0.12, virtual_key: "alpha" },
      { cost: 1.2, virtual_key: "beta", is_success: true },
    ],
  },
  "an answer of the cache": {
    config: at("alpha", "tells:cached", { cache: { mode: "simple" } }),
    repeated: true,
    rows: [{ cost: 0, cache_savings: 0.12, cache_status: "HIT", total_units: 0 }],
  },
  "denied before the call": {
    config: at("alpha", "tells", {
      input_guardrails: [{ contains: { words: ["time"], operator: "none" }, deny: true }],
    }),
    rows: [{ cost: 0, response_status_code: 446, total_units: 0 }],
  },
  "denied after the call": {
    config: at("alpha", "tells", { output_guardrails: [noTea] }),
    rows: [{ cost: 0.12, response_status_code: 446, total_units: 1100 }],
  },
  "denied after a call that does not say what it used": {
    config: at("alpha", "keeps", { output_guardrails: [noTea] }),
    rows: [{ cost: estimate, ...counted, response_status_code: 446, usage_source: "estimated" }],
  },
  "denied softly after a call that does not say what it used": {
    config: at("alpha", "keeps", { output_guardrails: [{ ...noTea, soft_deny_200: true }] }),
    rows: [{ cost: estimate, ...counted, response_status_code: 446 }],
  },
  "a stream of which nothing left before it was denied": {
    config: at("alpha", "streams-silently", { output_guardrails: [noTea] }),
    stream: true,
    rows: [{ cost: estimate, ...counted, response_status_code: 446 }],
  },
  "a stream of which some had left when it was denied": {
    config: at("alpha", "streams-word-by-word", { output_guardrails: [noTea] }),
    stream: true,
    rows: [{ cost: estimate, ...counted, response_status_code: 446, usage_source: "estimated" }],
  },
  "a stream that had said what it used before it was denied": {
    config: at("alpha", "streams-usage-first", { output_guardrails: [noTea] }),
    stream: true,
    rows: [{ cost: 0.12, total_units: 1100, response_status_code: 446, usage_source: "estimated" }],
  },
  "a shadow": {
    config: { strategy: { mode: "shadow" }, targets: [at("alpha", "tells"), at("beta", "tells")] },
    rows: [
      { cost: 1.2, virtual_key: "beta" },
      { cost: 0.12, virtual_key: "alpha" },
    ],
  },
  "a hedge whose first call is given up": {
    config: { strategy: { mode: "hedge", delay: 1 }, targets: [at("alpha", "hangs"), at("beta", "tells")] },
    rows: [
      { cost: 0, virtual_key: "alpha" },
      { cost: 1.2, virtual_key: "beta" },
    ],
  },
};

const question = (stream: boolean) => ({
  model: "m",
  stream,
  messages: [asks],
});

/** Rows show names of keys, counters ids. */
const team = { id: "team", name: "team" };
const streamer = { id: "streamer", name: "streamer" };

async function rowsOf(name: string, { config, stream = false, rows, repeated, headers }: Case) {
  const as = stream ? streamer : team;
  const asked: Asked = { as, config, headers: { ...headers, "x-gateway-trace-id": name } };
  if (repeated) await recording.ask(question(stream), { as, config });
  await recording.ask(question(stream), asked).catch(() => undefined);
  const found = await recording.trace(name, rows.length);
  // Shadows are records of their own; the one that answers is told by its target.
  return found.toSorted((one, other) => order(one, rows) - order(other, rows));
}

const order = (row: { virtual_key: string }, rows: readonly object[]) =>
  rows.findIndex((wanted) => "virtual_key" in wanted && wanted.virtual_key === row.virtual_key);

describe("what is billed", () => {
  it.each(Object.entries(cases))("%s", async (name, one) => {
    expect(await rowsOf(name, one)).toMatchObject(one.rows);
  });

  it("is what the log adds up to, however many requests there were", async () => {
    const config = at("alpha", "tells");
    for (let request = 0; request < 10; request++)
      await recording.ask(question(false), { as: team, config, headers: { "x-gateway-trace-id": "invoice" } });
    const rows = await recording.trace("invoice", 10);
    const picodollars = rows.reduce((sum, { cost }) => sum + BigInt(Math.round(cost * 1e10)), 0n);
    expect(picodollars).toBe(10n * 1_200_000_000n);
  });

  it.each([
    ["key", "api_key_name"],
    ["provider", "virtual_key"],
  ])("is, recomputed from the log, what budgets have counted for each %s", async (of, column) => {
    for (const [name, one] of Object.entries(cases)) await rowsOf(`${of}: ${name}`, one);
    const { admin } = recording;
    /** Picodollars, or tokens, by whom they are counted for; nothing is not told apart from nobody. */
    const counters = async (type: "cost" | "tokens") => {
      const { body } = await admin("GET", `/policies/usage-limits/${of}-${type}/entities`);
      const unit = type === "cost" ? 1e12 : 1;
      const data = body.data as { value_key: string; current_usage: number }[];
      const used = data.map((one) => [one.value_key.split(":")[1], Math.round(one.current_usage * unit)] as const);
      return Object.fromEntries(used.filter(([, amount]) => amount > 0));
    };
    const invoices = async (type: "cost" | "tokens") => {
      const sums: Record<string, number> = {};
      for (let page = 0, left = true; left; page++) {
        const rows = (await admin("GET", `/logs?page_size=100&current_page=${page}`)).body.data as Shown[];
        left = rows.length === 100;
        for (const row of rows) {
          const amount = type === "cost" ? Math.round((row.cost ?? 0) * 1e10) : (row.total_units ?? 0);
          if (amount > 0) sums[row[column]] = (sums[row[column]] ?? 0) + amount;
        }
      }
      return sums;
    };
    for (const type of ["cost", "tokens"] as const) {
      await expect.poll(async () => [await invoices(type)], { timeout: 10_000 }).toEqual([await counters(type)]);
      expect(Object.keys(await counters(type)).length).toBeGreaterThan(1);
    }
  });

  it("is nothing of what a client has left before the vendor has said what it used", async () => {
    const { workspace, gateway, trace } = recording;
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-test-principal": JSON.stringify({ ...team, organisation: testOrganisation, workspace: workspace.id }),
        "x-gateway-config": JSON.stringify(at("alpha", "begins-and-hangs")),
        "x-gateway-trace-id": "left",
      },
      body: JSON.stringify(question(true)),
    });
    await answer.body?.cancel();
    expect(await trace("left", 1)).toMatchObject([
      { cost: 0, total_units: null, usage_source: null, response_status_code: 499 },
    ]);
  });

  it("is not known of searches without a price, and budgets count what is known besides", async () => {
    const searcher = { id: "searcher", name: "searcher" };
    await recording.ask(question(false), {
      as: searcher,
      config: at("alpha", "searches"),
      headers: { "x-gateway-trace-id": "searches" },
    });
    expect(await recording.trace("searches", 1)).toMatchObject([{ cost: null, cost_source: null, total_units: 1100 }]);
    const used = async () =>
      ((await recording.admin("GET", "/policies/usage-limits/key-cost/entities")).body.data as Shown[]).find(
        ({ value_key }) => value_key === "api_key:searcher",
      )?.current_usage;
    await expect.poll(used).toBe(0.0012);
  });

  it("is told in headers of whole answers, to clients that ask", async () => {
    const told = async (config: object, debug: string) => {
      const { workspace, gateway } = recording;
      const principal = { ...team, organisation: testOrganisation, workspace: workspace.id };
      const { headers } = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-test-principal": JSON.stringify(principal),
          "x-gateway-config": JSON.stringify(config),
          "x-gateway-debug": debug,
        },
        body: JSON.stringify(question(false)),
      });
      return [headers.get("x-gateway-cost"), headers.get("x-gateway-usage-source")];
    };
    expect(await told(at("alpha", "tells"), "true")).toEqual(["0.0012", "provider"]);
    expect(await told(at("gamma", "tells"), "true")).toEqual(["unknown", "provider"]);
    expect(await told(at("delta", "tells"), "true")).toEqual(["0.0012", "provider"]);
    expect(await told(at("alpha", "searches"), "true")).toEqual(["unknown", "provider"]);
    expect(await told(at("alpha", "keeps"), "true")).toEqual(["unknown", "none"]);
    expect(await told(at("alpha", "fails"), "true")).toEqual(["0", "none"]);
    expect(await told(at("alpha", "fails-with-usage"), "true")).toEqual(["0.0012", "provider"]);
    expect(await told(cases["a fallback"]?.config ?? {}, "true")).toEqual(["0.0132", "provider"]);
    expect(await told(at("alpha", "tells"), "false")).toEqual([null, null]);
  });

  it("is in lists of prices that anybody may read", async () => {
    const get = async (path: string) => {
      const response = await fetch(`${recording.gateway.url}${path}`);
      return [response.status, (await response.json()) as Shown] as const;
    };
    expect(await get("/model-configs/pricing/openai/gpt-4o")).toMatchObject([
      200,
      {
        pay_as_you_go: {
          request_token: { price: 0.00025 },
          response_token: { price: 0.001 },
          cache_read_input_token: { price: 0.000125 },
        },
        currency: "USD",
      },
    ]);
    for (const base of ["/v1", "/v2"])
      expect(await get(`${base}/model-configs/pricing/openrouter/anthropic%2Fclaude-sonnet-4.5`)).toMatchObject([
        200,
        { pay_as_you_go: { request_token: { price: 0.0003 } }, tiers: [{ above_prompt_tokens: 200_000 }] },
      ]);
    const openRouter = "/model-configs/pricing/openrouter";
    expect(await get("/model-configs/pricing/openai/gpt-own")).toMatchObject([200, {}]);
    expect(await get(`${openRouter}/openai/gpt-own`)).toMatchObject([404, {}]);
    expect(await get(`${openRouter}/acme/own`)).toMatchObject([200, {}]);
    const [, list] = await get("/model-configs/pricing/anthropic.json");
    expect(list["claude-sonnet-4-5"].pricing_config.pay_as_you_go.request_token).toEqual({ price: 0.0003 });
    expect(list.default).toEqual({ pricing_config: null });
    expect(await get("/model-configs/pricing/openai/nobody-made-this")).toEqual([404, { error: "Model not found" }]);
    expect(await get("/model-configs/pricing/nobody.json")).toEqual([404, { error: "Model not found" }]);
  });
});
