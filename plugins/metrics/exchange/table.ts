/** One metric about exchanges; all of them have the labels of section 16.2. */
interface ExchangeMetric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Which buckets a histogram has. */
  readonly unit: "seconds" | "milliseconds";
}

const milliseconds = (name: string, help: string): ExchangeMetric => ({
  name,
  help,
  type: "histogram",
  unit: "milliseconds",
});

/** What is counted of exchanges (observability.md section 16.3), as far as the gateway knows it. */
export const exchangeMetrics = {
  requests: { name: "request_count", help: "HTTP requests handled.", type: "counter", unit: "milliseconds" },
  http: {
    name: "http_request_duration_seconds",
    help: "Seconds from the head of a request to the last byte of its answer.",
    type: "histogram",
    unit: "seconds",
  },
  call: milliseconds("llm_request_duration_milliseconds", "Milliseconds of a call of a provider, to its last byte."),
  own: milliseconds(
    "gateway_processing_time_excluding_last_byte_ms",
    "Milliseconds the gateway itself took: no provider, no pause before a retry, no wait for the body of a request.",
  ),
  lastByte: milliseconds(
    "llm_last_byte_diff_duration_milliseconds",
    "Milliseconds from the first byte of a provider's answer to the last.",
  ),
  whole: milliseconds(
    "gateway_request_duration_milliseconds",
    "Milliseconds from the head of a request to the last byte of its answer, everything included.",
  ),
  cache: milliseconds(
    "llm_cache_processing_duration_milliseconds",
    "Milliseconds a cache took to look for an answer; what is stored is stored after the client has it.",
  ),
  cost: { name: "llm_cost_sum", help: "US dollars spent, where known.", type: "gauge", unit: "milliseconds" },
  tokens: { name: "llm_token_sum", help: "Tokens used, where reported.", type: "gauge", unit: "milliseconds" },
  authentication: milliseconds(
    "authentication_duration_milliseconds",
    "Milliseconds until it was known who asks and that they may; of refused requests it is not measured.",
  ),
  before: milliseconds(
    "pre_request_processing_duration_milliseconds",
    "Milliseconds from the last byte of a request to the first call of a provider.",
  ),
  after: milliseconds(
    "post_request_processing_duration_milliseconds",
    "Milliseconds from the last byte of a provider's answer to the last byte of the client's.",
  ),
} as const satisfies Record<string, ExchangeMetric>;

export type MetricKey = keyof typeof exchangeMetrics;

/** Has labels of its own: the provider, and the model where that is one. */
export const unknownCost = {
  name: "llm_cost_unknown_count",
  help: "Answers of providers that cost something nobody knows.",
  type: "counter",
} as const;
