import type { ExchangeState } from "../exchange-state.ts";
import { isManagement } from "../is-management.ts";
import type { Road } from "../road.ts";
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
  tell(exchange, namesUnder(prefixes[0]), headers, result);
  if (alias) tell(exchange, namesUnder(alias), headers, result);
  return headers;
}

/** Says of a request that ended before any target answered that the gateway itself failed. */
export function tellException(
  { gatewayHeaders: { alias } }: ExchangeState,
  prefixes: readonly [string, ...string[]],
  headers: ResponseHeaders,
): void {
  headers[namesUnder(prefixes[0]).exception] = "true";
  if (alias) headers[namesUnder(alias).exception] = "true";
}

function tell(exchange: ExchangeState, name: Names, headers: ResponseHeaders, result: Result | undefined): void {
  // Management has no traces (control-plane.md section 1.1).
  if (!isManagement(exchange.endpoint)) headers[name.traceId] = exchange.traceId;
  headers[name.requestId] = exchange.id;
  if (exchange.told) tellAll(exchange.told, name, headers);
  if (!result) return;
  if (result.told) tellAll(result.told, name, headers);
  // A target that was refused before its provider was found has none to name.
  const { name: provider, itself } = result.target.provider;
  if (provider !== "" && !itself) headers[name.provider] = provider;
  headers[name.lastUsed] = result.target.path;
  headers[name.retries] = String(result.outcome.retries ?? retriesOf(exchange));
  // What a plugin answers before the cache is asked has no cache status (inference-api.md section 4).
  if (!result.outcome.given) headers[name.cache] ??= "DISABLED";
  if (exchange.droppedParams.size > 0) headers[name.dropped] = listOf(exchange.droppedParams);
  if (result.outcome.exception) headers[name.exception] = "true";
}

/** Says the id of what failed where clients of the format look for it, unless an upstream has said its own. */
export function identified(
  { id, endpoint }: ExchangeState,
  formats: Road["formats"],
  headers: ResponseHeaders,
): ResponseHeaders {
  headers[formats.get(endpoint.format ?? "")?.requestIdHeader ?? "x-request-id"] ??= id;
  return headers;
}

/** What plugins have to say. */
function tellAll(told: Readonly<Record<string, string>>, under: Names, headers: ResponseHeaders): void {
  for (const name in told) headers[whole(under, name)] = told[name] ?? "";
}

/** Plugins have a few names; who makes them up as they go finds no room. */
const mostOthers = 1000;

/** A name that is put together anew is hashed anew. */
function whole({ prefix, others }: Names, name: string): string {
  const known = others.get(name);
  if (known !== undefined) return known;
  const put = prefix + name;
  if (others.size < mostOthers) others.set(name, put);
  return put;
}

/** Names of fields are the client's words: what a header cannot hold must not get into one. */
const listOf = (names: ReadonlySet<string>): string =>
  [...names].map((name) => name.replace(/[^\x21-\x2b\x2d-\x7e]/g, "?")).join(",");

interface Names {
  readonly prefix: string;
  readonly traceId: string;
  readonly requestId: string;
  readonly provider: string;
  readonly lastUsed: string;
  readonly retries: string;
  readonly cache: string;
  readonly dropped: string;
  readonly exception: string;
  /** Those of plugins by what follows the prefix, as they come up. */
  readonly others: Map<string, string>;
}

const known = new Map<string, Names>();

/** The header names under a prefix, put together once. */
export function namesUnder(prefix: string): Names {
  const found = known.get(prefix);
  if (found) return found;
  const names = {
    prefix,
    traceId: `${prefix}trace-id`,
    requestId: `${prefix}request-id`,
    provider: `${prefix}provider`,
    lastUsed: `${prefix}last-used-option-index`,
    retries: `${prefix}retry-attempt-count`,
    cache: `${prefix}cache-status`,
    dropped: `${prefix}dropped-params`,
    exception: `${prefix}gateway-exception`,
    others: new Map<string, string>(),
  };
  known.set(prefix, names);
  return names;
}

/** Calls of the target that answers beyond its first. */
function retriesOf({ attempts, attempt: answering }: ExchangeState): number {
  let count = 0;
  for (const { target, lane, outcome } of attempts)
    if (target.retry && !outcome?.unsent && target.path === answering?.target.path && lane === answering.lane) count++;
  return count;
}
