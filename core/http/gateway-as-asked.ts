import type { Exchange } from "../model/exchange.ts";
import { isLoopbackName } from "./host-names.ts";

/**
 * Where the client has the gateway: the host it asked, as it says itself or as a proxy says that is trusted
 * (`server.trustedProxies`). Empty where nobody says, and where a client elsewhere may have asked by TLS, and would send its key in
 * the clear: a path is below the address that a client knows. `secure`: whether the gateway speaks TLS itself.
 */
export function gatewayAsAsked({ headers, viaProxy }: Pick<Exchange, "headers" | "viaProxy">, secure: boolean): string {
  const said = (name: string) =>
    String(headers[name] ?? "")
      .split(",", 1)[0]
      ?.trim() ?? "";
  // Anybody may write these.
  const forwarded = (what: string) => (viaProxy ? said(`x-forwarded-${what}`) : "");
  const host = forwarded("host") || said("host");
  if (!/^[\w.:[\]-]+$/.test(host)) return "";
  const scheme = forwarded("proto") || (secure ? "https" : isLoopbackName(host.replace(/:\d+$/, "")) ? "http" : "");
  if (scheme === "") return "";
  // Anything else would make another host of the one before it.
  const [, prefix = ""] = /^((?:\/[\w.~%-]+)*)\/?$/.exec(forwarded("prefix")) ?? [];
  return `${scheme === "https" ? "https" : "http"}://${host}${prefix}`;
}
