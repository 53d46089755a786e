import type { IncomingHttpHeaders } from "node:http";
import { GatewayError } from "../errors/gateway-error.ts";
import type { BoundProvider, Headers } from "../model/provider.ts";
import type { ExchangeState } from "./exchange-state.ts";

/** Headers that belong to one connection, in either direction. */
export const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Never asked to be forwarded: they would leak the gateway's credential or confuse a metadata service. */
const refusedForwards: ReadonlySet<string> = new Set([
  ...hopByHop,
  "host",
  "content-length",
  "metadata-flavor",
  "x-aws-ec2-metadata-token",
  "x-aws-ec2-metadata-token-ttl-seconds",
  "x-google-metadata-request",
]);

const credentialHeaders = ["authorization", "x-api-key", "api-key"] as const;

/** The names in `x-gateway-forward-headers`, as a comma list or a bracketed one. Throws on names that may not go. */
export function forwardedNames(value: string | undefined, prefixes: readonly string[]): string[] {
  if (value === undefined) return [];
  const names = value
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map((name) =>
      name
        .trim()
        .replace(/^['"]|['"]$/g, "")
        .toLowerCase(),
    )
    .filter((name) => name !== "");
  for (const name of names) {
    const own = prefixes.some((prefix) => name === `${prefix}forward-headers` || name === `${prefix}api-key`);
    if (own || refusedForwards.has(name))
      throw new GatewayError("forward_headers_invalid", `The header "${name}" cannot be forwarded.`, { param: name });
  }
  return names;
}

/** Headers for a unified route: what the provider builds, and what the client asked to have forwarded. */
export function unifiedHeaders(
  exchange: ExchangeState,
  provider: BoundProvider,
  own: Headers,
  names: readonly string[],
): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "application/json", ...own };
  copy(exchange.headers, provider.forwards, headers);
  const carrier = exchange.principal?.credentialHeader;
  copy(exchange.headers, carrier ? names.filter((name) => name !== carrier) : names, headers);
  return headers;
}

/** Headers for a raw route: the client's, less what is the gateway's business, and the provider's credentials on top. */
export function rawHeaders(
  exchange: ExchangeState,
  own: Headers,
  prefixes: readonly string[],
  ignored: readonly string[],
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(exchange.headers)) {
    if (value === undefined || hopByHop.has(name) || ignored.includes(name)) continue;
    if (name === "host" || name === "content-length" || name === "expect" || name === "cookie") continue;
    if (name === "x-real-ip" || name === "forwarded" || name.startsWith("x-forwarded-") || name.startsWith("cf-"))
      continue;
    if (prefixes.some((prefix) => name.startsWith(prefix)) || name === exchange.principal?.credentialHeader) continue;
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  // A credential the gateway sets replaces whatever the client wrote in any of the places credentials stand.
  if (credentialHeaders.some((name) => name in own)) for (const name of credentialHeaders) delete headers[name];
  return { ...headers, ...own };
}

function copy(from: IncomingHttpHeaders, names: readonly string[], to: Record<string, string>): void {
  for (const name of names) {
    const value = from[name];
    if (value !== undefined) to[name] = Array.isArray(value) ? value.join(", ") : value;
  }
}

const keptBack: ReadonlySet<string> = new Set([
  ...hopByHop,
  "content-length",
  "set-cookie",
  "x-powered-by",
  "server",
  "date",
  "alt-svc",
  "strict-transport-security",
]);

/** The upstream's response headers a client may see. */
export function clientHeaders(
  upstream: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[] | number> {
  const headers: Record<string, string | string[] | number> = {};
  for (const name in upstream) {
    const value = upstream[name];
    if (value !== undefined && !keptBack.has(name)) headers[name] = value;
  }
  return headers;
}
