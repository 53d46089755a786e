import type { IncomingHttpHeaders } from "node:http";
import type { GatewayHeaders } from "../model/exchange.ts";

type Metadata = Readonly<Record<string, string>>;

/**
 * The context a client gives with its request; later ones win key by key: W3C `baggage`, the body's `user` as `_user`,
 * `x-gateway-metadata` (inference-api.md section 3.2). What cannot be read counts as nothing: a request is not refused
 * for its labels.
 */
export function clientMetadata(
  headers: IncomingHttpHeaders,
  gatewayHeaders: GatewayHeaders,
  user: string | undefined,
): Metadata {
  return {
    ...baggageOf(headers.baggage),
    ...(user !== undefined && { _user: user }),
    ...objectOf(gatewayHeaders.get("metadata")),
  };
}

function baggageOf(value: string | string[] | undefined): Metadata {
  const found: Record<string, string> = {};
  if (value === undefined) return found;
  for (const member of [value].flat().join(",").split(",")) {
    const [pair = ""] = member.split(";");
    const equals = pair.indexOf("=");
    if (equals > 0) found[decoded(pair.slice(0, equals).trim())] = decoded(pair.slice(equals + 1).trim());
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function objectOf(text: string | undefined): Metadata {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, one]) => one !== null)
        .map(([key, one]) => [key, typeof one === "object" ? JSON.stringify(one) : String(one)]),
    );
  } catch {
    return {};
  }
}
