import { openedBy } from "../../endpoint-of.ts";
import { GatewayError, raise } from "../../errors/gateway-error.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { BoundProvider, SocketPath } from "../../model/provider.ts";
import type { Target } from "../../model/route.ts";
import type { SocketEndpoint } from "../../model/socket.ts";
import type { UpstreamCall } from "../../model/transport.ts";
import { clocksOf } from "../clocks-of.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { outcomeOf } from "../reply/outcome.ts";
import type { Result } from "../reply/result.ts";
import { queryOf } from "../request/query-of.ts";
import type { Road } from "../road.ts";
import { askTaps } from "./ask-taps.ts";
import { rawPath } from "./raw-attempt.ts";
import { sending } from "./sending.ts";
import { addressOf } from "./upstream-call.ts";
import { askedHeaders, filterHeaders, unifiedHeaders } from "./upstream-headers.ts";

/** An attempt whose answer is a socket: the provider's end, open and not read yet. */
export async function socketAttempt(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  record: Attempt,
  socket: SocketEndpoint,
): Promise<Result> {
  const place = placeOf(exchange, target.provider);
  const given = await askTaps(road, exchange, target, record);
  if (given) return given;
  const call = await socketCallFor(road, exchange, target, place);
  exchange.cancellation.check();
  sending(road, exchange, record);
  record.call = call;
  const opening = {
    url: call.origin + call.path,
    headers: call.headers,
    connection: (givenUp: AbortSignal) => road.connectionFor(call.origin, call.untrustedHost, givenUp),
    signal: exchange.signal,
    answered: () => {
      record.headersAt = exchange.elapsed();
    },
  };
  const { total } = clocksOf(road, exchange, target);
  const late = (error: Error) => {
    road.log.warn("a socket was not open in time", { request: exchange.id, provider: target.provider.slug, error });
    return new GatewayError("request_timeout", `Upstream did not answer within ${total} ms.`, {}, { cause: error });
  };
  const opened = await openedBy(socket.open.bind(socket), opening, exchange, { total, late });
  return { kind: "socket", target, outcome: { ...outcomeOf(switching), ok: true }, headers: {}, opened };
}

/** 101 Switching Protocols: what a client gets with its socket. */
const switching = 101;

/** The call a request for a socket becomes: the scheme of a base URL says whether it is encrypted. */
export async function socketCallFor(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  place = placeOf(exchange, target.provider),
): Promise<UpstreamCall> {
  const { provider, model } = target;
  const credentials = typeof provider.headers === "function" ? await provider.headers() : provider.headers;
  const forwarded = askedHeaders(exchange, target, road.settings.headerPrefixes);
  const { "content-type": _, ...headers } = unifiedHeaders(exchange, provider, credentials, forwarded);
  if (provider.headerFilters) filterHeaders(headers, provider.headerFilters);
  const query = ownQuery(exchange);
  const named = model ?? exchange.request?.model;
  if (named !== undefined) query.set("model", named);
  const path = typeof place === "string" ? place : place(query);
  const text = query.toString();
  const { origin, ...address } = addressOf(provider, text === "" ? path : `${path}?${text}`);
  return { method: "GET", origin: origin.replace(/^http/, "ws"), ...address, headers, body: undefined };
}

function placeOf({ endpoint, url }: ExchangeState, provider: BoundProvider): SocketPath {
  const own = provider.sockets?.[endpoint.type];
  if (own !== undefined) return own;
  if (provider.raw) return rawPath(url.split("?")[0] ?? "", provider.proxyPath);
  return raise("endpoint_unsupported", `${endpoint.type} is not supported by ${provider.name}.`);
}

/** The client's query, less what carried its credential. */
function ownQuery({ url, principal }: ExchangeState): URLSearchParams {
  const query = queryOf(url);
  for (const name of principal?.credentialParameters ?? []) query.delete(name);
  return query;
}
