import { type Exchange, isEmpty, isStrictAt, type Target } from "../../core/index.ts";
import { canonicalText } from "./digest.ts";

/** What keeps entries of a tenant apart: the namespace the client names, or all it says around its request. */
export function partitionOf(exchange: Exchange, target: Target, forwarded: readonly Forwarded[]): string {
  const { gatewayHeaders } = exchange;
  const namespace = gatewayHeaders.get("cache-namespace");
  if (namespace !== undefined) return JSON.stringify(["namespace", namespace]);
  const strict = isStrictAt(exchange, target);
  const host = gatewayHeaders.get("custom-host") ?? "";
  const tried = betas(exchange);
  if (host === "" && forwarded.length === 0 && tried.length === 0 && isEmpty(exchange.metadata))
    return strict ? plain.strict : plain.loose;
  return contextOf(exchange.metadata, host, strict, forwarded, tried);
}

const contextOf = (...context: readonly unknown[]): string => canonicalText(["context", ...context]);

/** Where nothing is said around a request, as it is with most. */
const plain = { strict: contextOf({}, "", true, [], []), loose: contextOf({}, "", false, [], []) };

/** A client header that goes upstream: its name there, and its value. */
export type Forwarded = readonly [name: string, value: string];

/** Headers that say who is asking. What they are worth must not be found in a store, not even as a digest. */
const credential = /^(?:(?:proxy-)?authorization|cookie|.*api-?key|.*(?:auth|access|session)-?(?:token|key))$/;

/**
 * The client headers that go upstream; undefined when a credential is among them, since what is answered to it may be
 * nobody else's to read. `asFields`: those that the vendor is told as fields of the body. Its own may have the gateway's prefix.
 */
export function forwardedOf(
  exchange: Exchange,
  target: Target,
  asFields: readonly string[] = none,
): readonly Forwarded[] | undefined {
  const { gatewayHeaders } = exchange;
  const asked = gatewayHeaders.get("forward-headers");
  const named = asked === undefined ? (target.forwardHeaders ?? none) : namesIn(asked);
  const { forwards } = target.provider;
  if (named.length === 0 && forwards.length === 0 && asFields.length === 0) return none;
  const { principal, headers: sent, checkedHeaders: headers = sent } = exchange;
  const { vendorHeaders } = target.provider;
  const forwarded: Forwarded[] = [];
  for (const { from, to } of [...[...forwards, ...asFields].map(toItself), ...named]) {
    const isVendors = vendorHeaders.includes(from) || asFields.includes(from);
    const value = headers[from] ?? (isVendors ? gatewayHeaders.get(from) : undefined);
    if (value === undefined || principal?.credentialHeaders?.includes(from)) continue;
    if (credential.test(from) || credential.test(to)) return undefined;
    forwarded.push([to, [value].flat().join()]);
  }
  return forwarded.sort(byName);
}

const none: readonly never[] = [];

/** Says nothing about what is asked: of one connection, of who calls by which way, of what the answer is packed in. */
const beside =
  /^(?:host|connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|expect|date|content-length|accept-encoding|user-agent|traceparent|tracestate|baggage|x-request-id|x-stainless-.*|x-real-ip|forwarded|x-forwarded-.*|cf-.*|cookie)$/;

/**
 * The client headers that go on with a raw call, which are all but a few and those that are asked to; undefined when a credential is
 * among them.
 */
export function sentAlong(exchange: Exchange, target: Target): readonly Forwarded[] | undefined {
  const asked = forwardedOf(exchange, target);
  if (!asked) return undefined;
  const { gatewayHeaders, principal, headers, checkedHeaders = headers } = exchange;
  const own = gatewayHeaders.nameOf("");
  const sent: Forwarded[] = [];
  for (const name in checkedHeaders) {
    const value = checkedHeaders[name];
    if (value === undefined || beside.test(name) || name.startsWith(own)) continue;
    if (principal?.credentialHeaders?.includes(name)) continue;
    if (credential.test(name)) return undefined;
    sent.push([name, [value].flat().join()]);
  }
  return [...sent, ...asked].sort(byName);
}

/** A name may be there twice: sent under it, and forwarded under it by another. */
const byName = ([left, one]: Forwarded, [right, other]: Forwarded): number =>
  left === right ? (one < other ? -1 : 1) : left < right ? -1 : 1;

const toItself = (name: string) => ({ from: name, to: name });

const namesIn = (list: string) =>
  list
    .replace(/[[\]'"]/g, "")
    .split(",")
    .map((name) => toItself(name.trim().toLowerCase()));

/** Headers that switch on what vendors are trying out: `…-beta`. */
function betas({ headers }: Exchange): Forwarded[] {
  const found: Forwarded[] = [];
  for (const name in headers) if (name.endsWith("-beta")) found.push([name, [headers[name] ?? ""].flat().join()]);
  return found.sort(byName);
}
