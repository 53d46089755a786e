import type { Exchange } from "../model/exchange.ts";
import type { Usage } from "../model/usage.ts";

/**
 * Whether limits are looked at for a request (policies.md section 5.5): whatever makes a model work, and raw calls, of which
 * nobody knows. Asking for what is there is free.
 */
export function isLimited({ endpoint, method }: Pick<Exchange, "endpoint" | "method">): boolean {
  if (endpoint.operation !== undefined || endpoint.prepare !== undefined) return true;
  if (endpoint.procedure) return method === "POST";
  return endpoint.rawBody === true && endpoint.type === "proxy";
}

/** All tokens of a usage, cached ones too: what token limits count. Undefined where none were reported. */
export function totalTokens(usage: Usage | undefined): number | undefined {
  if (!usage) return undefined;
  let total: number | undefined;
  for (const bucket of tokenBuckets) {
    const count = usage[bucket];
    if (count !== undefined) total = (total ?? 0) + count;
  }
  return total;
}

const tokenBuckets = [
  "inputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "inputAudioTokens",
  "outputTokens",
  "reasoningTokens",
  "outputAudioTokens",
] as const;
