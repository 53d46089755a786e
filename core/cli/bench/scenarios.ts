/** What is sent, and through which gateway. Data only. */

export interface Scenario {
  readonly name: string;
  /** Requests of one round, and how many are under way at once. */
  readonly requests: number;
  readonly concurrency: number;
  /** The bodies sent, in turn. */
  readonly bodies: readonly Buffer[];
  /** Stream frames per request, for the cost per chunk. */
  readonly chunks?: number;
}

export interface Subject {
  readonly name: string;
  /** The config file of the gateway; absent is the bare relay. */
  readonly config?: (upstreamPort: number) => string;
  readonly path: string;
  readonly format: "openai" | "anthropic";
  /** No two requests are alike, so that no cache has an answer. */
  readonly unique?: true;
}

/** What is written over in bodies that are to differ. */
export const stamp = "number 00000000";

const prompt = (bytes: number) =>
  stamp + " All work and no play makes a dull day.".repeat(Math.ceil(bytes / 39)).slice(0, bytes);

const body = (bytes: number, stream: boolean, format: Subject["format"]) =>
  Buffer.from(
    JSON.stringify({
      model: "bench",
      ...(format === "anthropic" && { max_tokens: 256 }),
      messages: [{ role: "user", content: prompt(bytes) }],
      ...(stream && { stream: true }),
    }),
  );

export const scenariosFor = (format: Subject["format"], scale: number): Scenario[] => {
  const small = body(1_024, false, format);
  const large = body(102_400, false, format);
  const streamed = body(1_024, true, format);
  return [
    { name: "whole, 1 KB", requests: 6_000 * scale, concurrency: 32, bodies: [small] },
    { name: "whole, 100 KB", requests: 3_000 * scale, concurrency: 16, bodies: [large] },
    { name: "stream, 100 chunks", requests: 1_000 * scale, concurrency: 16, bodies: [streamed], chunks: 100 },
    {
      name: "mixed",
      requests: 2_000 * scale,
      concurrency: 32,
      bodies: [small, small, small, streamed, small, large, small, small],
    },
  ];
};

const config =
  (plugins: string, routing = " { default: openai }") =>
  (upstreamPort: number) =>
    `
server: { host: 127.0.0.1, port: 0, log: { level: error } }
plugins:
  auth-open: {}
  routing:${routing}
  format-openai-chat: {}
${plugins}
providers:
  openai: { apiKey: bench-key, baseUrl: "http://127.0.0.1:${upstreamPort}" }
`;

/** A fallback over a load balancer, with retries, a breaker and a cache that never has the answer. */
const routed = `  strategy-fallback: {}
  strategy-loadbalance: {}
  retry: {}
  circuit-breaker: {}
  cache-memory: { maxBytes: 16000000 }
  cache: {}`;

const tree = `
    configs:
      bench:
        cache: simple
        retry: { attempts: 2 }
        cb_config: { failure_threshold: 5, cooldown_interval: 30000 }
        strategy: { mode: fallback }
        targets:
          - strategy: { mode: loadbalance }
            targets: [{ provider: openai }, { provider: openai, weight: 2 }]
          - { provider: openai, override_params: { model: spare } }
    defaultConfig: bench`;

export const subjects: readonly Subject[] = [
  { name: "bare relay", path: "/chat/completions", format: "openai" },
  { name: "passthrough", config: config(""), path: "/v1/chat/completions", format: "openai" },
  {
    name: "passthrough, access log",
    config: config("  access-log: {}"),
    path: "/v1/chat/completions",
    format: "openai",
  },
  {
    name: "routing tree, retries, cache miss",
    config: config(routed, tree),
    path: "/v1/chat/completions",
    format: "openai",
    unique: true,
  },
  {
    name: "translated (messages → chat)",
    config: config("  format-anthropic-messages: {}"),
    path: "/v1/messages",
    format: "anthropic",
  },
];
