import type { IncomingHttpHeaders } from "node:http";
import { headerText } from "../../http/header-text.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { GatewayHeaders } from "../../model/headers.ts";
import { percentDecoded } from "../../percent-decoded.ts";

type Metadata = Readonly<Record<string, string>>;

export interface ClientMetadata {
  readonly texts: Metadata;
  /** What was written as something else than text; absent where nothing was. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * The context a client gives with its request; later ones win key by key: W3C `baggage`, the body's `user` as `_user`,
 * `x-gateway-metadata` (inference-api.md section 3.2). What cannot be read counts as nothing: a request is not refused
 * for its labels.
 */
export function clientMetadata(
  headers: IncomingHttpHeaders,
  gatewayHeaders: GatewayHeaders,
  user: string | undefined,
): ClientMetadata {
  const said = gatewayHeaders.get("metadata");
  if (said === undefined && headers.baggage === undefined && user === undefined) return nothing;
  const { texts, values } = objectOf(said);
  const all = { ...baggageOf(headers.baggage), ...(user !== undefined && { _user: user }), ...texts };
  return values ? { texts: all, values } : { texts: all };
}

const nothing: ClientMetadata = { texts: Object.freeze({}) };

function baggageOf(value: string | string[] | undefined): Metadata {
  const found: Record<string, string> = {};
  if (value === undefined) return found;
  for (const member of [value].flat().join(",").split(",")) {
    const [pair = ""] = member.split(";");
    const equals = pair.indexOf("=");
    if (equals > 0) found[percentDecoded(pair.slice(0, equals).trim())] = percentDecoded(pair.slice(equals + 1).trim());
  }
  return found;
}

function objectOf(text: string | undefined): ClientMetadata {
  if (text === undefined) return { texts: {} };
  try {
    const written: unknown = JSON.parse(headerText(text));
    if (typeof written !== "object" || written === null || Array.isArray(written)) return { texts: {} };
    const entries = Object.entries(written);
    const others = entries.filter(([, one]) => typeof one !== "string");
    const texts = Object.fromEntries(entries.filter(([, one]) => one !== null).map(([key, one]) => [key, textOf(one)]));
    return others.length > 0 ? { texts, values: Object.fromEntries(others) } : { texts };
  } catch {
    return { texts: {} };
  }
}

const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/**
 * Whether a label is what W3C `baggage` says, and nothing else does: it is the last that counts (observability.md section 7).
 * `said` is what the request says of itself, where the config has added to that.
 */
export function isOnlyBaggage(exchange: Exchange, name: string, said = exchange.metadata): boolean {
  const { headers, gatewayHeaders, principal } = exchange;
  if (headers.baggage === undefined || baggageOf(headers.baggage)[name] !== said[name]) return false;
  return !Object.hasOwn({ ...objectOf(gatewayHeaders.get("metadata")).texts, ...principal?.metadata }, name);
}

/** What is left of values where others say something under the same name. */
export const without = (values: Readonly<Record<string, unknown>>, others: object = {}): typeof values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !Object.hasOwn(others, key)));
