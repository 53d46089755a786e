import { secret, z } from "../../core/index.ts";

/** Bounds as somebody wrote them: wrong ones are no reason not to start. */
const bounds = (what: string, variable: string) =>
  z
    .array(z.union([z.number(), z.string()]))
    .default([])
    .describe(`Upper bounds of the buckets of ${what}, ascending: \${${variable}:-}. None are those of the README.`);

export const metricsOptions = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe("Whether anything is counted and shown: ${ENABLE_PROMETHEUS:-true}. Without, /metrics is 404."),
  token: secret()
    .exactOptional()
    .describe("What whoever reads /metrics sends as a bearer token: ${METRICS_AUTH_TOKEN:-}. Without one, nothing."),
  app: z.string().min(1).default("sluice").describe("The label `app` of every metric: ${SERVICE_NAME:-sluice}."),
  env: z.string().min(1).default("N/A").describe("The label `env` of every metric: ${NODE_ENV:-N/A}."),
  modelLabel: z.boolean().default(false).describe("Whether there is the label `model`."),
  configNameLabel: z.boolean().default(false).describe("Whether there is the label `config_name`."),
  apiKeyNameLabel: z.boolean().default(false).describe("Whether there is the label `api_key_name`."),
  extraLabels: z
    .array(z.enum(["apiKeyName", "configName"]))
    .default([])
    .describe("The same two under these names."),
  metadataLabels: z
    .boolean()
    .default(false)
    .describe("Whether there are labels `metadata_…`, for the keys of `metadataKeys`."),
  metadataKeys: z.array(z.string().min(1)).default([]).describe("Keys of metadata that become labels."),
  httpDurationBuckets: bounds("`http_request_duration_seconds`", "PROMETHEUS_HTTP_DURATION_BUCKETS"),
  histogramBuckets: bounds("histograms in milliseconds", "PROMETHEUS_HISTOGRAM_BUCKETS"),
  gcBuckets: bounds("`node_gc_duration_seconds`", "PROMETHEUS_GC_BUCKETS"),
  maxSeries: z
    .int()
    .min(1)
    .default(2000)
    .describe(
      "Series of a metric; what has other label values is counted under `other`, and in `metrics_folded_count`.",
    ),
});

export type MetricsOptions = z.output<typeof metricsOptions>;
