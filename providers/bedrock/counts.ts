import type { ClientHeaders } from "../../core/provider-kit/index.ts";

type Fields = Record<string, unknown>;

const inputHeader = "x-amzn-bedrock-input-token-count";
const outputHeader = "x-amzn-bedrock-output-token-count";

const numberIn = (header: string | string[] | undefined): number | undefined =>
  typeof header === "string" && /^\d+$/.test(header) ? Number(header) : undefined;

/** What an invocation used is counted in headers of its answer; here it is said as the last frame of a stream says it. */
export function withCounts(wire: Fields, headers: ClientHeaders = {}): Fields {
  const inputTokenCount = numberIn(headers[inputHeader]);
  const outputTokenCount = numberIn(headers[outputHeader]);
  if (inputTokenCount === undefined && outputTokenCount === undefined) return wire;
  return { ...wire, "amazon-bedrock-invocationMetrics": { inputTokenCount, outputTokenCount } };
}

/** The same as Cohere's own host says it. */
export function withBilledUnits(wire: Fields, headers: ClientHeaders = {}): Fields {
  const input = numberIn(headers[inputHeader]);
  return input === undefined || "meta" in wire ? wire : { ...wire, meta: { billed_units: { input_tokens: input } } };
}
