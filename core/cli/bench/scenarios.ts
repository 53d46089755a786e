import { type Ask, askOf, type BenchFormat } from "./formats.ts";

/** What is sent, and through which gateway. Data only. */

export interface Scenario {
  readonly name: string;
  /** Requests of one round, and how many are under way at once. */
  readonly requests: number;
  readonly concurrency: number;
  /**
   * Rounds until the just-in-time compiler has come to rest, before anything is measured: its threads count as CPU of the
   * process, and they outweigh a request. At the end of a round all connections are closed, and what V8 has not seen until then
   * makes it compile much of what serves them anew: of one long round that happened in the first one measured, which was a fifth
   * slower.
   */
  readonly warmUp: number;
  /** What is sent, in turn. */
  readonly asks: readonly Ask[];
  /** Stream frames per request, for the cost per chunk. */
  readonly chunks?: number;
}

export interface Subject {
  readonly name: string;
  /** The config file of the gateway; absent is the bare relay. */
  readonly config?: (upstreamPort: number) => string;
  /** What is beside the config file: texts by their names. */
  readonly files?: Readonly<Record<string, string>>;
  /** What its clients speak. */
  readonly format: BenchFormat;
  /** No two requests are alike, so that no cache has an answer. */
  readonly unique?: true;
  /** What is made through the management API before anything is measured: the headers of requests that make use of it. */
  readonly prepare?: (url: string) => Promise<Readonly<Record<string, string>>>;
}

/** What is written over in bodies that are to differ. */
export const stamp = "number 00000000";

const prompt = (bytes: number) =>
  stamp + " All work and no play makes a dull day.".repeat(Math.ceil(bytes / 39)).slice(0, bytes);

export const scenariosFor = (format: Subject["format"], scale: number): Scenario[] => {
  const small = askOf(format, prompt(1_024), false);
  const large = askOf(format, prompt(102_400), false);
  const streamed = askOf(format, prompt(1_024), true);
  return [
    { name: "whole, 1 KB", requests: 6_000 * scale, concurrency: 32, warmUp: 4, asks: [small] },
    { name: "whole, 100 KB", requests: 3_000 * scale, concurrency: 16, warmUp: 4, asks: [large] },
    { name: "stream, 100 chunks", requests: 1_000 * scale, concurrency: 16, warmUp: 4, asks: [streamed], chunks: 100 },
    {
      name: "mixed",
      requests: 2_000 * scale,
      concurrency: 32,
      // Objects of several shapes come to the same places, and V8 compiles what reads them anew for some twenty thousand requests.
      warmUp: 12,
      asks: [small, small, small, streamed, small, large, small, small],
    },
  ];
};

const config =
  (plugins: string, routing = " { default: openai }", auth = "  auth-open: {}") =>
  (upstreamPort: number) =>
    `
server: { host: 127.0.0.1, port: 0, log: { level: error } }
plugins:
${auth}
  routing:${routing}
  format-openai-chat: {}
${plugins}
providers:
  openai: { apiKey: bench-key, baseUrl: "http://127.0.0.1:${upstreamPort}" }
`;

/** A fallback over a load balancer, with retries and a cache that never has the answer. */
const routed = `  strategy-fallback: {}
  strategy-loadbalance: {}
  retry: {}
  cache-memory: { maxBytes: 16000000 }
  cache: {}`;

const treeWith = (more: string) => `
    configs:
      bench:
        cache: simple
        retry: { attempts: 2 }${more}
        strategy: { mode: fallback }
        targets:
          - strategy: { mode: loadbalance }
            targets: [{ provider: openai }, { provider: openai, weight: 2 }]
          - { provider: openai, override_params: { model: spare } }
    defaultConfig: bench`;

const breaker = `
        cb_config: { failure_threshold: 5, cooldown_interval: 30000 }`;

const adminKey = "bench-admin-key-0123456789abcdef";

/** Everything between a caller with a key and a config that was saved. */
const stored = `  records-file: { path: "./records.db" }
  management: {}
  organisations: {}
  encryption: {}
  configs: {}
  integrations: {}
  api-keys: { bootstrapKey: ${adminKey} }`;

const guarding = `${stored}
  checks: {}
  guardrails: {}`;

/** What a deployment that watches its money has: nothing is ever refused, and everything is counted, priced and recorded. */
const whole = `${guarding}
  counters-memory: {}
  pricing: { models: { openai/bench: { input: 0.15, output: 0.6 } } }
  policy-records:
    rateLimits:
      bench:
        conditions: [{ key: api_key, value: "*" }]
        group_by: [{ key: api_key }]
        type: requests
        unit: rpm
        value: 1000000000
    usageLimits:
      bench:
        conditions: [{ key: api_key, value: "*" }]
        group_by: [{ key: api_key }]
        type: cost
        credit_limit: 1000000
        enforcement: hard
  rate-limits: {}
  usage-limits: {}
  metrics: {}
  logs-file: { path: "./logs.db" }
  request-log: { capture: metrics_only }`;

const regex = {
  input_guardrails: [{ id: "regex", regexMatch: { rule: "confidential-[0-9]+", not: true }, deny: true }],
};

/** Makes a config and a key of a workspace, as an operator would. */
const keyAndConfig = (more: object) => async (url: string) => {
  const made = async (path: string, body: object): Promise<Record<string, string>> => {
    const response = await fetch(`${url}/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-gateway-api-key": adminKey },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, string> & { data?: Record<string, string> };
    if (!response.ok) throw new Error(`POST ${path} was answered with ${response.status}: ${JSON.stringify(answer)}`);
    return answer.data ?? answer;
  };
  const { slug: workspace = "" } = await made("/admin/workspaces", { name: "Bench" });
  const config = { provider: "openai", ...more };
  const { slug = "" } = await made("/configs", { name: "bench", workspace_id: workspace, config });
  const scopes = ["completions.write"];
  const { key = "" } = await made("/api-keys/workspace/service", { name: "bench", workspace_id: workspace, scopes });
  return { "x-gateway-api-key": key, "x-gateway-config": slug };
};

/** The bare relay first, which all others are compared with. */
export const subjects: readonly [Subject, ...Subject[]] = [
  { name: "bare relay", format: "chat" },
  { name: "passthrough", config: config(""), format: "chat" },
  {
    name: "passthrough, access log",
    config: config("  access-log: {}"),
    format: "chat",
  },
  {
    name: "passthrough, metrics",
    config: config("  metrics: {}"),
    format: "chat",
  },
  {
    name: "key check, saved config",
    config: config(stored, " {}", ""),
    format: "chat",
    prepare: keyAndConfig({}),
  },
  {
    name: "key check, saved config, guardrail",
    config: config(guarding, " {}", ""),
    format: "chat",
    prepare: keyAndConfig({
      input_guardrails: [{ id: "words", contains: { words: ["confidential"], operator: "none" }, deny: true }],
    }),
  },
  {
    name: "everything that counts",
    config: config(whole, " {}", ""),
    format: "chat",
    prepare: keyAndConfig(regex),
  },
  {
    name: "routing tree, retries, cache miss",
    config: config(routed, treeWith("")),
    format: "chat",
    unique: true,
  },
  {
    name: "routing tree, retries, breaker, cache miss",
    config: config(`${routed}\n  circuit-breaker: {}`, treeWith(breaker)),
    format: "chat",
    unique: true,
  },
  {
    name: "translated (messages → chat)",
    config: config("  format-anthropic-messages: {}"),
    format: "messages",
  },
];
