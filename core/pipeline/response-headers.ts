import type { ExchangeState } from "./exchange-state.ts";
import type { Result } from "./result.ts";

type ResponseHeaders = Record<string, string | string[] | number>;

/** Adds what the gateway tells about an answer (inference-api.md section 4), under the prefix the client speaks. */
export function responseHeaders(
  exchange: ExchangeState,
  prefixes: readonly [string, ...string[]],
  headers: ResponseHeaders,
  result?: Result,
): ResponseHeaders {
  const { alias } = exchange.gatewayHeaders;
  tell(exchange, prefixes[0], headers, result);
  if (alias) tell(exchange, alias, headers, result);
  return headers;
}

function tell(exchange: ExchangeState, prefix: string, headers: ResponseHeaders, result: Result | undefined): void {
  headers[`${prefix}trace-id`] = exchange.traceId;
  headers[`${prefix}request-id`] = exchange.id;
  if (!result) return;
  headers[`${prefix}provider`] = result.target.provider.name;
  headers[`${prefix}last-used-option-index`] = result.target.path;
  headers[`${prefix}retry-attempt-count`] = String(retriesOf(exchange));
  headers[`${prefix}cache-status`] ??= "DISABLED";
  if (exchange.droppedParams.size > 0) headers[`${prefix}dropped-params`] = [...exchange.droppedParams].join(",");
  if (result.outcome.exception) headers[`${prefix}gateway-exception`] = "true";
}

/** Calls of the last target beyond its first. */
function retriesOf(exchange: ExchangeState): number {
  let count = 0;
  for (let at = exchange.attempts.length - 1; at > 0 && exchange.attempts[at]?.target.retry; at--) count++;
  return count;
}
