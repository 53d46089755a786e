import { isLoopbackName } from "./host-names.ts";

/** As node has them. */
type ClientHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Where the client has the gateway: the host it asked, as it says itself or as those in front of the gateway say. Empty where
 * nobody says, and where a client elsewhere may have asked by TLS, and would send its key in the clear: a path is below the address
 * that a client knows. `secure`: whether the gateway speaks TLS itself.
 */
export function gatewayAsAsked(headers: ClientHeaders, secure: boolean): string {
  const said = (name: string) =>
    String(headers[name] ?? "")
      .split(",", 1)[0]
      ?.trim() ?? "";
  const host = said("x-forwarded-host") || said("host");
  if (!/^[\w.:[\]-]+$/.test(host)) return "";
  const scheme =
    said("x-forwarded-proto") || (secure ? "https" : isLoopbackName(host.replace(/:\d+$/, "")) ? "http" : "");
  if (scheme === "") return "";
  // Anything else would make another host of the one before it.
  const [, prefix = ""] = /^((?:\/[\w.~%-]+)*)\/?$/.exec(said("x-forwarded-prefix")) ?? [];
  return `${scheme === "https" ? "https" : "http"}://${host}${prefix}`;
}
