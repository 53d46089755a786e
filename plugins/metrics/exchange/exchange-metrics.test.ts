import { describe, expect, it } from "vitest";
import type { Attempt, BoundProvider, Endpoint, Exchange, GatewayRequest } from "../../../core/index.ts";
import { keepingLogger } from "../../../test/support/gateway.ts";
import { usualBuckets } from "../buckets.ts";
import { type MetricsOptions, metricsOptions } from "../options.ts";
import { Declarations } from "../registry/declarations.ts";
import { exposition } from "../registry/exposition.ts";
import { parsed, totalOf } from "../testing.ts";
import { ExchangeMetrics } from "./exchange-metrics.ts";

const chat: Endpoint = { type: "chatComplete", method: "POST", path: "/v1/chat/completions", operation: "chat" };
const request = { model: "m", stream: false } as GatewayRequest;
const good = { status: 200, ok: true, exception: false, headers: {} };

const attemptAt = (provider: string, times: Partial<Attempt>, outcome: Attempt["outcome"] = good): Attempt => ({
  target: { path: "config", provider: { name: provider } as BoundProvider },
  startedAt: 0,
  ...(outcome && { outcome }),
  ...times,
});

const exchangeOf = (more: Partial<Exchange>): Exchange =>
  ({
    endpoint: chat,
    method: "POST",
    url: chat.path,
    headers: {},
    metadata: {},
    attempts: [],
    status: 200,
    ...more,
  }) as Exchange;

/** Counts exchanges and reads the text back. */
async function counted(exchanges: readonly Partial<Exchange>[], given: Partial<MetricsOptions> = {}) {
  const log = keepingLogger();
  const options = { ...metricsOptions.parse({}), ...given };
  const kept = new Map();
  const { maxSeries } = options;
  const declarations = new Declarations({ kept, maxSeries, buckets: usualBuckets.milliseconds, reserved: [], log });
  const buckets = { seconds: usualBuckets.httpSeconds, milliseconds: usualBuckets.milliseconds };
  const metrics = new ExchangeMetrics(declarations, options, buckets);
  for (const exchange of exchanges) metrics.take(exchangeOf(exchange));
  const text = await exposition(
    declarations.families.map((family) => family.counted),
    [["app", "test"]],
  );
  return { text, families: parsed(text), log };
}

const answered = attemptAt("acme", { startedAt: 8, sentAt: 10, firstByteAt: 60, endedAt: 100 });
const spent = (more: Partial<Attempt>): Partial<Exchange> => {
  const attempt = { ...answered, ...more };
  const { usage, cost } = more;
  return { ...whole, attempts: [attempt], attempt, ...(usage && { usage }), ...(cost && { cost }) };
};
const whole: Partial<Exchange> = {
  request,
  attempts: [answered],
  attempt: answered,
  authenticatedAt: 1,
  bodyReadAt: 4,
  endedAt: 105,
};

it("writes what became of a request", async () => {
  const { text } = await counted([
    spent({ usage: { inputTokens: 3, outputTokens: 4 }, cost: { amount: "0.25", currency: "USD", source: "t" } }),
  ]);
  const lines = text.split("\n").filter((line) => !/^#|_bucket\{/.test(line));
  const labels =
    'app="test",method="POST",endpoint="/v1/chat/completions",code="200",provider="acme",source="gateway",stream="false",cacheStatus="disabled"';
  const one = (name: string, sum: number) => [`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} 1`];
  expect(lines).toEqual([
    `request_count{${labels}} 1`,
    ...one("http_request_duration_seconds", 0.105),
    ...one("llm_request_duration_milliseconds", 90),
    // All but the provider and the wait for the body.
    ...one("gateway_processing_time_excluding_last_byte_ms", 12),
    ...one("llm_last_byte_diff_duration_milliseconds", 40),
    ...one("gateway_request_duration_milliseconds", 105),
    `llm_cost_sum{${labels}} 0.25`,
    `llm_token_sum{${labels}} 7`,
    ...one("authentication_duration_milliseconds", 1),
    ...one("pre_request_processing_duration_milliseconds", 6),
    ...one("post_request_processing_duration_milliseconds", 5),
    "",
  ]);
  expect(text).toContain(`llm_request_duration_milliseconds_bucket{${labels},le="75"} 0\n`);
  expect(text).toContain(`llm_request_duration_milliseconds_bucket{${labels},le="100"} 1\n`);
});

describe("what is not known is not counted", () => {
  it("of a request that was refused", async () => {
    const { families } = await counted([{ status: 401, endedAt: 2 }]);
    expect([...families.keys()]).toEqual([
      "request_count",
      "http_request_duration_seconds",
      "gateway_processing_time_excluding_last_byte_ms",
      "gateway_request_duration_milliseconds",
    ]);
    expect(totalOf(families, "request_count", { code: "401", provider: "N/A" })).toBe(1);
  });

  it("of an answer without usage and cost, whose cost is counted as unknown", async () => {
    const { families } = await counted([whole, { ...whole, endpoint: { ...chat, operation: "count" } }]);
    expect(totalOf(families, "llm_cost_unknown_count", { provider: "acme" })).toBe(1);
    expect(totalOf(families, "llm_cost_sum")).toBeUndefined();
    expect(totalOf(families, "llm_token_sum")).toBeUndefined();
  });

  it("of what somebody says has an unknown cost: raw calls, jobs others learn of, and what came before a failure", async () => {
    const cost = { currency: "USD", source: "none" } as const;
    const raw: Endpoint = { type: "proxy", method: "POST", path: "/v1/proxy/*" };
    const done = attemptAt("acme", { batch: true });
    const failed = attemptAt("acme", { sentAt: 10 }, { ...good, status: 503, ok: false });
    const { families } = await counted([
      { ...whole, endpoint: raw, cost },
      { ...whole, endpoint: raw, url: "/v1/batches", role: "account", attempts: [done], attempt: done, cost },
      { ...whole, attempts: [answered, failed], attempt: failed, status: 503, cost },
      { ...whole, endpoint: raw, url: "/v1/threads/t/runs", cost },
      { ...whole, endpoint: raw },
    ]);
    expect(totalOf(families, "llm_cost_unknown_count", { provider: "acme" })).toBe(3);
  });

  it("of a call whose cost nobody knows, under its own provider, whoever answered after it", async () => {
    const priced = { amount: "0.5", currency: "USD", source: "t" } as const;
    const unknown = { currency: "USD", source: "none" } as const;
    const left = attemptAt("first", { sentAt: 10, cost: unknown }, { ...good, status: 502, ok: false });
    const last = attemptAt("second", { sentAt: 40, cost: priced });
    const { families } = await counted([{ ...whole, attempts: [left, last], attempt: last, cost: unknown }]);
    const at = (provider: string) => totalOf(families, "llm_cost_unknown_count", { provider });
    expect([at("first"), at("second"), totalOf(families, "llm_cost_sum")]).toEqual([1, undefined, 0.5]);
  });

  it("of a call whose end nobody saw", async () => {
    const open = attemptAt("acme", { sentAt: 10 });
    const { families } = await counted([{ ...whole, attempts: [open], attempt: open }]);
    expect(totalOf(families, "llm_request_duration_milliseconds_count")).toBeUndefined();
    expect(totalOf(families, "gateway_processing_time_excluding_last_byte_ms_count")).toBeUndefined();
    expect(totalOf(families, "gateway_request_duration_milliseconds_count")).toBe(1);
  });

  it("of an answer from the cache there is no call, and no unknown cost", async () => {
    const given = attemptAt("acme", { cacheTime: 3 }, { ...good, given: true });
    const { families } = await counted([{ ...whole, attempts: [given], attempt: given, cacheStatus: "SEMANTIC HIT" }]);
    expect(totalOf(families, "request_count", { cacheStatus: "hit" })).toBe(1);
    expect(totalOf(families, "llm_cache_processing_duration_milliseconds_sum")).toBe(3);
    expect(totalOf(families, "llm_request_duration_milliseconds_count")).toBeUndefined();
    expect(totalOf(families, "llm_cost_unknown_count")).toBeUndefined();
  });
});

it("measures each call under its own provider and status, and what ran side by side once", async () => {
  const failed = attemptAt("first", { sentAt: 10, endedAt: 30 }, { ...good, status: 503, ok: false });
  const rival = attemptAt("second", { sentAt: 20, endedAt: 50 });
  const { families } = await counted([
    { ...whole, attempts: [failed, rival], attempt: rival, bodyReadAt: 1, endedAt: 60 },
  ]);
  const name = "llm_request_duration_milliseconds_sum";
  expect(totalOf(families, name, { provider: "first", code: "503" })).toBe(20);
  expect(totalOf(families, name, { provider: "second", code: "200" })).toBe(30);
  expect(totalOf(families, "request_count")).toBe(1);
  expect(totalOf(families, "gateway_processing_time_excluding_last_byte_ms_sum")).toBe(20);
});

it("adds what each attempt used to its own provider", async () => {
  const cost = (amount: string) => ({ amount, currency: "USD", source: "t" }) as const;
  const failed = attemptAt(
    "first",
    { sentAt: 10, usage: { inputTokens: 3 }, cost: cost("0.25") },
    { ...good, status: 503, ok: false },
  );
  const refused = attemptAt("second", { cost: cost("0") }, { ...good, status: 412, ok: false });
  const last = attemptAt("third", { sentAt: 40, usage: { inputTokens: 4 }, cost: cost("0.5") });
  const sums = { usage: { inputTokens: 4 }, cost: cost("0.75") };
  const { families } = await counted([
    { ...whole, ...sums, attempts: [failed, refused, last], attempt: last },
    { status: 200, cost: cost("0.125") },
  ]);
  const spentAt = (provider: string) =>
    ["llm_cost_sum", "llm_token_sum"].map((name) => totalOf(families, name, { provider }));
  expect(["first", "second", "third", "N/A"].map(spentAt)).toEqual([
    [0.25, 3],
    [undefined, undefined],
    [0.5, 4],
    [0.125, undefined],
  ]);
});

it("counts a call under what the cache did for it, whatever it did for the one that answered", async () => {
  const asked = attemptAt("first", { sentAt: 10, usage: { inputTokens: 3 }, told: { "cache-status": "MISS" } });
  const given = attemptAt("second", { told: { "cache-status": "HIT" } });
  const silent = attemptAt("third", { sentAt: 10, usage: { inputTokens: 4 } });
  const attempts = [asked, silent, given];
  const { families } = await counted([{ ...whole, attempts, attempt: given, cacheStatus: "HIT" }]);
  const tokens = (cacheStatus: string) => totalOf(families, "llm_token_sum", { cacheStatus });
  expect(["miss", "disabled", "hit"].map(tokens)).toEqual([3, 4, undefined]);
  expect(totalOf(families, "request_count", { cacheStatus: "hit" })).toBe(1);
});

it("does not take copies and calls of the gateway's own for requests, but counts what they use", async () => {
  const usage = { inputTokens: 5 };
  const { families } = await counted([
    { ...spent({ usage }), role: "shadow" },
    { ...spent({ usage }), role: "internal" },
  ]);
  expect(totalOf(families, "request_count")).toBeUndefined();
  expect(totalOf(families, "llm_token_sum")).toBe(10);
  expect(totalOf(families, "llm_request_duration_milliseconds_count")).toBe(2);
});

it("leaves out what passes to files, batches and threads of the cost, but not what a batch job is found to have cost", async () => {
  const proxy: Endpoint = { type: "proxy", method: "POST", path: "/v1/*", rawBody: true };
  const cost = { amount: "1", currency: "USD", source: "t" } as const;
  const urls = ["/v1/files", "/v1/batches?x=1", "/v1/threads/t/runs", "/v1/filesystem"];
  const passed = urls.map((url) => ({ ...spent({ cost }), endpoint: proxy, url }));
  const learnt = { ...spent({ cost, job: true }), endpoint: proxy, url: "/v1/batches/b" };
  const { families } = await counted([...passed, learnt]);
  expect(totalOf(families, "llm_cost_sum", { endpoint: "/v1/proxy", source: "proxy" })).toBe(2);
});

describe("labels", () => {
  it.each<[string, Partial<Exchange>, Record<string, string>]>([
    [
      "a parameter of a path",
      { endpoint: { ...chat, path: "/v1beta/models/:model/x/{id}" } },
      { endpoint: "/v1beta/models/:id/x/:id" },
    ],
    ["the rest of a path", { endpoint: { ...chat, path: "/v1/*" } }, { endpoint: "/v1/proxy" }],
    ["a stream", { request: { ...request, stream: true } }, { stream: "true" }],
    ["a refreshed cache", { cacheStatus: "REFRESH" }, { cacheStatus: "miss" }],
    ["a cache that is off", { cacheStatus: "DISABLED" }, { cacheStatus: "disabled" }],
    ["a cache in trouble", { cacheStatus: "BROKEN" }, { cacheStatus: "error" }],
    ["no model", { request: undefined as never }, { model: "N/A" }],
    ["a long model", { request: { ...request, model: "m".repeat(500) } }, { model: "m".repeat(128) }],
    ["an odd model", { request: { ...request, model: 'a"b\\c\nd{},=é' } }, { model: 'a"b\\c\nd{},=é' }],
    ["a saved config", { config: { slug: "cfg" } }, { config_name: "cfg", configName: "cfg" }],
    ["an inline config", { routing: { config: "inline:abc", mode: "single" } }, { config_name: "N/A" }],
    ["a key", { principal: { id: "k", name: "team" } }, { api_key_name: "team", apiKeyName: "team" }],
    ["metadata", { metadata: { "a-b": "x", other: "y" } }, { metadata_a_b: "x" }],
    ["no metadata", {}, { metadata_a_b: "N/A" }],
  ])("tell %s", async (_, exchange, labels) => {
    const { families } = await counted([{ request, ...exchange }], {
      modelLabel: true,
      configNameLabel: true,
      apiKeyNameLabel: true,
      extraLabels: ["apiKeyName", "configName"],
      metadataLabels: true,
      metadataKeys: ["a-b", "a_b"],
    });
    expect(totalOf(families, "request_count", labels)).toBe(1);
  });

  it("are only those that are always there, unless switched on", async () => {
    const { families } = await counted([{ request, metadata: { a: "x" } }], { metadataLabels: true });
    expect(Object.keys(families.get("request_count")?.samples[0]?.labels ?? {})).toEqual([
      "app",
      "method",
      "endpoint",
      "code",
      "provider",
      "source",
      "stream",
      "cacheStatus",
    ]);
  });
});

it("counts what would be too many series as other, says so once, and how often", async () => {
  const models = Array.from({ length: 50 }, (_, at) => ({ request: { ...request, model: `m${at % 10}` } }));
  const { families, log } = await counted(models, { modelLabel: true, maxSeries: 4 });
  expect(families.get("request_count")?.samples).toHaveLength(5);
  expect(totalOf(families, "request_count")).toBe(50);
  expect(totalOf(families, "request_count", { model: "other", method: "other", code: "other" })).toBe(30);
  expect(log.lines).toHaveLength(1);
  expect(log.lines[0]).toMatchObject({ level: "warn", message: expect.stringMatching(/request_count.*maxSeries/) });
});
