import { hopByHop, namesIn } from "../../http/header-names.ts";

const keptBack: ReadonlySet<string> = new Set([
  ...hopByHop,
  "content-length",
  "set-cookie",
  "x-powered-by",
  "server",
  "date",
  "alt-svc",
  "strict-transport-security",
  // Which pages may read answers of the gateway, it says itself.
  "access-control-allow-origin",
  "access-control-allow-credentials",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-expose-headers",
  "access-control-max-age",
]);

/**
 * The upstream's response headers a client may see. `prefixes` are those of the gateway's own headers: what begins with
 * one says how this gateway came by the answer, which an upstream that is a gateway itself says of its own.
 */
export function clientHeaders(
  upstream: Readonly<Record<string, string | string[] | undefined>>,
  prefixes: readonly string[],
): Record<string, string | string[] | number> {
  const headers: Record<string, string | string[] | number> = {};
  const ofConnection = namesIn(upstream.connection);
  for (const name in upstream) {
    const value = upstream[name];
    if (value === undefined || keptBack.has(name) || ofConnection.includes(name) || isOwn(name, prefixes)) continue;
    headers[name] = value;
  }
  return headers;
}

function isOwn(name: string, prefixes: readonly string[]): boolean {
  for (const prefix of prefixes) if (name.startsWith(prefix)) return true;
  return false;
}
