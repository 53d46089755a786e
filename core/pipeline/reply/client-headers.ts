import { hopByHop } from "../../http/header-names.ts";

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
