import { GatewayError } from "../../errors/gateway-error.ts";
import { credentialHeaders, hopByHop, namesIn, refusedForwards } from "../../http/header-names.ts";
import type { Headers } from "../../model/headers.ts";
import type { BoundProvider } from "../../model/provider.ts";
import type { ForwardedHeader, Target } from "../../model/route.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { addedTo } from "../request/added-headers.ts";
import { readableEncodings } from "./readable-encodings.ts";

/** The headers in `x-gateway-forward-headers`, as a comma list or a bracketed one. Throws on names that may not go. */
function forwardedNames(value: string, prefixes: readonly string[]): ForwardedHeader[] {
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
  return names.map((name) => {
    if (!mayForward(name, prefixes))
      throw new GatewayError("forward_headers_invalid", `The header "${name}" cannot be forwarded.`, { param: name });
    return { from: name, to: name };
  });
}

/** The client headers a target is asked to send on: the request's own list replaces the config's. Throws on names that may not go. */
export function askedHeaders(
  { gatewayHeaders }: ExchangeState,
  { forwardHeaders = [] }: Target,
  prefixes: readonly string[],
): readonly ForwardedHeader[] {
  const asked = gatewayHeaders.get("forward-headers");
  return asked === undefined ? forwardHeaders : forwardedNames(asked, prefixes);
}

/** Whether a client header may be asked to be forwarded. */
export const mayForward = (name: string, prefixes: readonly string[]): boolean =>
  !refusedForwards.has(name) &&
  !prefixes.some((prefix) => name === `${prefix}forward-headers` || name === `${prefix}api-key`);

/** Headers for a unified route: what the provider builds, and what the client asked to have forwarded. */
export function unifiedHeaders(
  exchange: ExchangeState,
  provider: BoundProvider,
  own: Headers,
  asked: readonly ForwardedHeader[],
): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "application/json", ...own };
  // Headers a provider forwards by itself are the client's to set; those a client asks for come on top of nothing.
  for (const name of provider.forwards) forward(exchange, { from: name, to: name }, own, headers, provider);
  for (const header of asked) forward(exchange, header, own, headers);
  addTo(headers, exchange, own);
  return headers;
}

/** Adds words to headers that hold several, each once. */
export function addWords(headers: Record<string, string>, words: Headers): void {
  for (const [name, more] of Object.entries(words)) {
    const all = `${headers[name] ?? ""},${more}`.split(",").map((word) => word.trim());
    headers[name] = [...new Set(all)].filter((word) => word !== "").join(",");
  }
}

/** Says headers as a vendor takes them. */
export function filterHeaders(
  headers: Record<string, string>,
  filters: NonNullable<BoundProvider["headerFilters"]>,
): void {
  for (const [name, filter] of Object.entries(filters)) {
    const value = headers[name];
    if (value === undefined) continue;
    const said = filter(value);
    if (said === undefined) delete headers[name];
    else headers[name] = said;
  }
}

/**
 * Copies a header of the client. Its credential for the gateway stays here, and none replaces the provider's. `by`: the provider that
 * forwards it by itself, whose own headers it may replace.
 */
function forward(
  { headers: sent, checkedHeaders: headers = sent, gatewayHeaders, principal }: ExchangeState,
  { from, to }: ForwardedHeader,
  own: Headers,
  into: Record<string, string>,
  by?: BoundProvider,
): void {
  // What a provider lets clients say they may say with the gateway's prefix, too (inference-api.md section 3.5).
  const value = headers[from] ?? (by?.vendorHeaders.includes(from) ? gatewayHeaders.get(from) : undefined);
  if (value === undefined || (!by && to in own)) return;
  if (principal?.credentialHeaders?.includes(from)) return;
  if ((credentialHeaders as readonly string[]).includes(to) && hasCredential(own)) return;
  const text = Array.isArray(value) ? value.join(", ") : value;
  into[to] = to === "accept-encoding" ? readableEncodings(text) : text;
}

const hasCredential = (own: Headers): boolean => credentialHeaders.some((name) => name in own);

/**
 * Headers for a raw route: the client's, less what is the gateway's business, and the provider's credentials on top. Those that
 * the provider lets clients say are said by them here, too. What is asked to be forwarded goes even where it would not by itself
 * (a cookie), and under the name it is to have.
 */
export function rawHeaders(
  exchange: ExchangeState,
  { forwards, vendorHeaders, sign }: BoundProvider,
  own: Headers,
  asked: readonly ForwardedHeader[],
  prefixes: readonly string[],
  ignored: readonly string[],
): Record<string, string> {
  const headers: Record<string, string> = {};
  const named = namesIn(exchange.headers.connection);
  const withheld = exchange.principal?.credentialHeaders;
  const { checkedHeaders } = exchange;
  for (const [name, sent] of Object.entries(exchange.headers)) {
    const value = checkedHeaders ? checkedHeaders[name] : sent;
    if (value === undefined || hopByHop.has(name) || ignored.includes(name) || named.includes(name)) continue;
    if (name === "host" || name === "content-length" || name === "expect" || name === "cookie") continue;
    if (name === "x-real-ip" || name === "forwarded" || name.startsWith("x-forwarded-") || name.startsWith("cf-"))
      continue;
    if (prefixes.some((prefix) => name.startsWith(prefix)) || withheld?.includes(name)) continue;
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  for (const header of asked) if (!ignored.includes(header.from)) forward(exchange, header, own, headers);
  const encodings = headers["accept-encoding"];
  if (encodings !== undefined) headers["accept-encoding"] = readableEncodings(encodings);
  // A credential the gateway sets replaces whatever the client wrote in any of the places credentials stand.
  // A signature is one, too; where nothing is signed after all, the client's own authorization still stands.
  const shown = hasCredential(own);
  for (const name of credentialHeaders) if (shown || (sign && name !== "authorization")) delete headers[name];
  for (const name of vendorHeaders) {
    const said = name in headers || ignored.includes(name) ? undefined : exchange.gatewayHeaders.get(name);
    if (said !== undefined) headers[name] = said;
  }
  addTo(headers, exchange, own);
  for (const name in own) if (!(name in headers && forwards.includes(name))) headers[name] = own[name] ?? "";
  return headers;
}

/** What taps add stands before what the client sent, and behind what the provider sets. */
function addTo(headers: Record<string, string>, { attempt }: ExchangeState, own: Headers): void {
  if (!attempt?.added) return;
  for (const [name, value] of addedTo(attempt)) if (!(name in own)) headers[name] = value;
}

/** What a client's own signature brings besides `authorization`: it says nothing about what the gateway sends. */
export const signatureHeaders: ReadonlySet<string> = new Set([
  "x-amz-date",
  "x-amz-content-sha256",
  "x-amz-security-token",
]);

/** Headers with the signature of the call they belong to, which replaces a client's own. */
export function withSignature(headers: Headers, signature: Headers): Headers {
  const replaced = hasCredential(signature);
  const all: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !(replaced && signatureHeaders.has(name))) all[name] = value;
  }
  return Object.assign(all, signature);
}
