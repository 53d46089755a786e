import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { eventually } from "../../test/support/calm.ts";
import { startTestGateway, type TestGateway } from "../../test/support/gateway.ts";
import { withMetrics } from "../../test/support/metrics-page.ts";
import { question } from "../../test/support/raw-client.ts";
import { parsed, totalOf } from "./testing.ts";

const configOf = (options = "{}", more = "") => `
plugins:
  auth-keys: { keys: [{ name: team, key: "${key}" }] }
  routing: { default: simulator }
  format-openai-chat: {}
  proxy: {}
  metrics: ${options}
  ${more}
providers:
  simulator: {}
`;

const key = "team-key-0123456789abcdef";

const ask = async (gateway: TestGateway, path: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(gateway.url + path, {
    ...init,
    headers: { "content-type": "application/json", "x-gateway-api-key": key, ...init.headers },
  });
  await response.arrayBuffer();
  return response;
};

const chat = (gateway: TestGateway, model = "simulator/m", stream = false, headers = {}) =>
  ask(gateway, "/v1/chat/completions", { method: "POST", body: question(model, { stream }), headers });

async function scrape(gateway: TestGateway, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/metrics`, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return parsed(await response.text());
}

/** Exchanges are counted a moment after their answers. */
const settled = (gateway: TestGateway) => eventually(() => expect(gateway.generation.active).toBe(0));

it("shows what became of requests, and how the process is", async () => {
  const gateway = await startTestGateway(configOf("{ modelLabel: true, app: shop, env: test }"));
  await chat(gateway);
  await chat(gateway, "simulator/m", true);
  await chat(gateway, "simulator/fault-status-503");
  await settled(gateway);
  const families = await scrape(gateway);
  const endpoint = "/v1/chat/completions";
  expect(totalOf(families, "request_count", { endpoint, code: "200", stream: "false", model: "m" })).toBe(1);
  expect(totalOf(families, "request_count", { endpoint, code: "200", stream: "true", model: "m" })).toBe(1);
  expect(totalOf(families, "request_count", { endpoint, code: "503", provider: "simulator" })).toBe(1);
  expect(totalOf(families, "llm_token_sum", { stream: "false" })).toBeGreaterThan(0);
  expect(totalOf(families, "llm_cost_unknown_count", { provider: "simulator", model: "m" })).toBe(2);
  for (const name of [
    "http_request_duration_seconds",
    "llm_request_duration_milliseconds",
    "gateway_processing_time_excluding_last_byte_ms",
    "gateway_request_duration_milliseconds",
    "authentication_duration_milliseconds",
    "pre_request_processing_duration_milliseconds",
    "post_request_processing_duration_milliseconds",
  ])
    expect(totalOf(families, `${name}_count`, { endpoint }), name).toBe(3);
  for (const name of [
    "node_process_cpu_user_seconds_total",
    "node_process_resident_memory_bytes",
    "node_process_heap_bytes",
  ])
    expect(totalOf(families, name), name).toBeGreaterThan(0);
  for (const name of ["node_process_start_time_seconds", "node_eventloop_lag_seconds", "node_eventloop_utilization"])
    expect(families.get(name)?.type, name).toBe("gauge");
  for (const { samples } of families.values())
    for (const { labels } of samples) expect(labels).toMatchObject({ app: "shop", env: "test" });
});

it("counts what was refused, wherever that was", async () => {
  const gateway = await startTestGateway(configOf());
  const post = { method: "POST", body: "{" };
  const refused: [string, string, number, RequestInit][] = [
    ["/v1/chat/completions", "/v1/chat/completions", 401, { ...post, headers: { "x-gateway-api-key": "wrong-key" } }],
    ["/v1/chat/completions", "/v1/chat/completions", 400, post],
    ["/nowhere", "/v1/proxy", 404, { ...post, headers: { "x-gateway-api-key": "" } }],
    ["/nowhere/else", "/v1/proxy", 404, {}],
  ];
  for (const [path, , code, init] of refused) expect((await ask(gateway, path, init)).status, path).toBe(code);
  await settled(gateway);
  const families = await scrape(gateway);
  for (const [, endpoint, code, { method = "GET" }] of refused) {
    const labels = { endpoint, code: `${code}`, method, provider: "N/A", source: "gateway" };
    expect(totalOf(families, "request_count", labels), `${code}`).toBe(1);
  }
  expect(totalOf(families, "llm_request_duration_milliseconds_count")).toBeUndefined();
});

it("says of calls that go on as they are that they do, wherever they were sent", async () => {
  const gateway = await startTestGateway(configOf());
  const headers = { "x-gateway-provider": "simulator" };
  const calls: [string, string][] = [
    ["GET", "/v1/threads/thread-1"],
    ["POST", "/v1/other/things"],
    ["GET", "/v1/proxy/threads/thread-1"],
  ];
  for (const [method, path] of calls) await ask(gateway, path, { method, headers });
  await chat(gateway);
  await settled(gateway);
  const families = await scrape(gateway);
  const counted = (source: string) => totalOf(families, "request_count", { source, provider: "simulator" });
  expect([counted("proxy"), counted("gateway")]).toEqual([3, 1]);
});

describe("the endpoint", () => {
  it("is open, and counts itself", async () => {
    const gateway = await startTestGateway(configOf());
    await scrape(gateway);
    await settled(gateway);
    expect(totalOf(await scrape(gateway), "request_count", { endpoint: "/metrics", code: "200" })).toBe(1);
  });

  it("wants its token where there is one, and that token opens nothing else", async () => {
    const gateway = await startTestGateway(configOf("{ token: ${METRICS_AUTH_TOKEN} }"), {
      METRICS_AUTH_TOKEN: "scrape-token-0123456789",
    });
    const authorization = "Bearer scrape-token-0123456789";
    await scrape(gateway, { authorization });
    for (const wrong of [undefined, "Bearer scrape-token", "Bearer", `Bearer ${key}`, "scrape-token-0123456789"]) {
      const response = await fetch(`${gateway.url}/metrics`, {
        headers: wrong === undefined ? {} : { authorization: wrong },
      });
      expect(response.status, wrong).toBe(401);
      expect(await response.text()).not.toContain("scrape-token-0123456789");
    }
    expect((await chat(gateway, "simulator/m", false, { "x-gateway-api-key": "", authorization })).status).toBe(401);
  });

  it("is not there where metrics are off, and nothing runs", async () => {
    const gateway = await startTestGateway(configOf("{ enabled: ${ENABLE_PROMETHEUS:-true} }"), {
      ENABLE_PROMETHEUS: "False",
    });
    expect((await ask(gateway, "/metrics")).status).toBe(404);
    expect((await chat(gateway)).status).toBe(200);
    expect(gateway.generation.kernel.hooks.cost.taps).toEqual([]);
  });

  it("gives those who ask at once one answer", async () => {
    const gateway = await startTestGateway(configOf());
    const all = await Promise.all(Array.from({ length: 20 }, () => scrape(gateway)));
    expect(all).toHaveLength(20);
  });
});

it("takes what the environment says, and warns of buckets that are none", async () => {
  const options =
    "{ extraLabels: ${A:-}, metadataLabels: ${B:-false}, metadataKeys: ${C:-}, histogramBuckets: ${D:-}, gcBuckets: ${E:-} }";
  const variables = { A: "apiKeyName,configName", B: "true", C: "team-name, x", D: "10,20.5", E: "3,2" };
  const gateway = await startTestGateway(configOf(options), variables);
  await chat(gateway, "simulator/m", false, { "x-gateway-metadata": '{"team-name":"blue","secret":"s"}' });
  await settled(gateway);
  const families = await scrape(gateway);
  const labels = { apiKeyName: "team", configName: "N/A", metadata_team_name: "blue", metadata_x: "N/A" };
  expect(totalOf(families, "request_count", labels)).toBe(1);
  const bounds = families.get("gateway_request_duration_milliseconds")?.samples.slice(0, 3);
  expect(bounds?.map((sample) => sample.labels.le)).toEqual(["10", "20.5", "+Inf"]);
  expect(gateway.log.lines.filter(({ level }) => level === "warn")).toMatchObject([{ message: /gcBuckets is "3,2"/ }]);
  expect((await startTestGateway(configOf(options))).log.lines).toEqual([]);
});

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

/** Counts its requests under its name. */
const counting = `
import { definePlugin, Metrics, z } from "${surface}";
export default definePlugin({
  name: "counting",
  summary: "Counts.",
  options: z.strictObject({}),
  uses: [Metrics],
  setup({ hooks, offered }) {
    const counter = offered(Metrics)?.counter({ name: "own_count", help: "Own.", labels: ["who"] });
    hooks.cost.tap("counting", () => counter?.add(1, "me"));
  },
});
`;

it("goes on over reloads, with what plugins count too; where labels change, those metrics begin anew", async () => {
  const folder = temporaryFolder({ "counting.ts": counting });
  const more = "counting: { use: ./counting.ts }";
  const gateway = await startTestGateway(configOf("{}", more), {}, folder);
  await chat(gateway);
  await settled(gateway);
  gateway.write(configOf("{ app: other }", more));
  expect(await gateway.reload()).toBe(true);
  await chat(gateway);
  await settled(gateway);
  const endpoint = "/v1/chat/completions";
  const families = await scrape(gateway);
  expect(totalOf(families, "request_count", { endpoint, app: "other" })).toBe(2);
  expect(totalOf(families, "own_count", { who: "me" })).toBe(2);
  gateway.write(configOf("{ modelLabel: true }", more));
  expect(await gateway.reload()).toBe(true);
  await chat(gateway);
  await settled(gateway);
  const anew = await scrape(gateway);
  expect(totalOf(anew, "request_count", { endpoint })).toBe(1);
  expect(totalOf(anew, "own_count")).toBe(4);
});

it("is counted apart in each gateway of a process", async () => {
  const [one, two] = [await startTestGateway(configOf()), await startTestGateway(configOf())];
  await chat(one);
  await settled(one);
  expect(totalOf(await scrape(two), "request_count")).toBeUndefined();
});

it("has its metrics in its README (npm run readmes renews it)", () => {
  const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
  expect(page).toBe(withMetrics(page));
});
