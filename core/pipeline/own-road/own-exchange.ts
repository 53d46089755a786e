import { Readable } from "node:stream";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Endpoint } from "../../model/endpoint.ts";
import { endpointFor } from "../endpoint-for.ts";
import { ExchangeState } from "../exchange-state.ts";
import type { ClientBody, Road } from "../road.ts";
import type { RoadOrigin } from "./own-road.ts";

/** The road with the places on it. */
export interface Places {
  readonly road: Road;
  readonly endpoints: readonly Endpoint[];
}

/** An exchange without a client: who asks is known. */
export function ownExchange(
  { road, endpoints }: Places,
  method: string,
  origin: RoadOrigin,
  endpoint?: Endpoint,
): ExchangeState {
  const { path, headers, principal, source } = origin;
  const exchange = new ExchangeState({
    endpoint: endpoint ?? endpointAt(endpoints, method, path),
    method,
    url: path,
    headers,
    remoteAddress: undefined,
    headerPrefixes: road.settings.headerPrefixes,
  });
  if (principal) exchange.principal = principal;
  if (source) exchange.source = source;
  return exchange;
}

/** The endpoint a client would come to. */
function endpointAt(endpoints: readonly Endpoint[], method: string, url: string): Endpoint {
  const path = (url.split("?")[0] ?? "").split("/");
  const sharing = endpoints.filter((one) => one.method === method && isAt(one.path.split("/"), path));
  const endpoint = endpointFor(sharing, url);
  if (endpoint) return endpoint;
  throw new GatewayError("not_found", `There is no ${method} ${path.join("/")}.`);
}

const isAt = (place: readonly string[], path: readonly string[]): boolean =>
  place.length === path.length && place.every((part, at) => part === path[at] || (part[0] === ":" && path[at] !== ""));

export function bodyOf(body: Buffer | Readable | undefined, headers: RoadOrigin["headers"]): ClientBody {
  return {
    contentType: headers["content-type"],
    contentLength: body === undefined ? 0 : Buffer.isBuffer(body) ? body.length : undefined,
    stream: body instanceof Readable ? body : Readable.from(body === undefined ? [] : [body], { objectMode: false }),
    taken: false,
  };
}
