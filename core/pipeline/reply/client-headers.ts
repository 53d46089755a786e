import { hopByHop, namesIn } from "../../http/header-names.ts";
import { withoutQuoted } from "../../secrets/quoted-secrets.ts";

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

/**
 * The same of a refusal, less any of the `secrets` it was called with: they are quoted here as in bodies. Where it sends callers stays
 * here as well: clients would follow, and send a stranger what they send the gateway.
 */
export function refusalHeaders(
  upstream: Readonly<Record<string, string | string[] | undefined>>,
  prefixes: readonly string[],
  secrets: readonly string[],
): ReturnType<typeof clientHeaders> {
  const headers = clientHeaders(upstream, prefixes);
  if ("content-encoding" in headers) delete headers["content-encoding"];
  if ("location" in headers) delete headers.location;
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string") headers[name] = withoutQuoted(value, secrets);
    else if (Array.isArray(value)) headers[name] = value.map((one) => withoutQuoted(one, secrets));
  }
  return headers;
}

function isOwn(name: string, prefixes: readonly string[]): boolean {
  for (const prefix of prefixes) if (name.startsWith(prefix)) return true;
  return false;
}
