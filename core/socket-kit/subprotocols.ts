import type { IncomingHttpHeaders } from "node:http";
import type { ProviderRegistry } from "../provider-kit/registry.ts";

/** The words of the vendor whose clients come. */
export interface BrowserWords {
  /** How the subprotocol begins that carries a key: it is answered by nobody, kept by nobody, and goes nowhere. */
  readonly key: string;
  /** The header of betas: `BETA.realtime-v1` is what others say as `BETA: realtime=v1`. */
  readonly beta: string;
}

/** How clients that cannot set headers name them (operations.md section 12), and what follows a slug in front. */
const routing = [
  { prefix: "gateway-provider.", header: "provider" },
  { prefix: "gateway-config.", header: "config" },
  { prefix: "gateway-trace-id.", header: "trace-id" },
] as const;

/** Whether a slug is one of a provider that is kept; any other is the name of one that comes with the product. */
type IsKept = (slug: string) => boolean;

export const keptBy =
  (providers: Pick<ProviderRegistry, "configured" | "knows">): IsKept =>
  (slug) =>
    providers.configured(slug) !== undefined || !providers.knows(slug);

/**
 * The headers of a browser as they would be if it could set any. What it did set counts. The subprotocols that are left
 * are those without a key.
 */
export function headersFrom(
  given: IncomingHttpHeaders,
  prefix: string,
  { key: keyPrefix, beta: betaHeader }: BrowserWords,
  isKept: IsKept,
): IncomingHttpHeaders {
  const offered = offeredIn(given);
  const asked = given[`${prefix}${betaHeader}`];
  if (offered.length === 0 && asked === undefined) return given;
  const headers: IncomingHttpHeaders = { ...given };
  // Where a config names the provider, its own options are no business of the client's; this is a header of the client.
  if (asked !== undefined) headers[betaHeader] ??= asked;
  const left = offered.filter((one) => !one.startsWith(keyPrefix));
  if (left.length > 0) headers["sec-websocket-protocol"] = left.join(", ");
  else delete headers["sec-websocket-protocol"];
  const key = valueBehind(offered, keyPrefix);
  if (key !== undefined) headers.authorization ??= `Bearer ${key}`;
  const beta = valueBehind(offered, `${betaHeader}.`);
  if (beta !== undefined) headers[betaHeader] ??= beta.replace(/-(?=v\d+$)/, "=");
  for (const { prefix: own, header } of routing) {
    const value = valueBehind(offered, own);
    if (value !== undefined) headers[prefix + header] ??= header === "provider" && isKept(value) ? `@${value}` : value;
  }
  return headers;
}

/** The subprotocol a client is answered with: the first one that carries no key. */
export const echoing =
  ({ key }: BrowserWords) =>
  (offered: Iterable<string>): string | false => {
    for (const one of offered) if (!one.startsWith(key)) return one;
    return false;
  };

const offeredIn = (headers: IncomingHttpHeaders): string[] =>
  (headers["sec-websocket-protocol"] ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

const valueBehind = (offered: readonly string[], prefix: string): string | undefined =>
  offered.find((one) => one.startsWith(prefix) && one.length > prefix.length)?.slice(prefix.length);
