import type { Secret } from "../secrets/secret.ts";

/** A proxy that calls leave through. */
export interface ProxyAddress {
  /** Whether the proxy itself is spoken to over TLS. */
  readonly secure: boolean;
  /** Without the brackets of an IPv6 address. */
  readonly hostname: string;
  readonly port: number;
  /** `host:port`: all that a message may say of it. */
  readonly name: string;
  /** The value of Proxy-Authorization. */
  readonly authorization?: Secret;
}

/** Hosts that are called past every proxy: all, a host with its subdomains, or those that are addresses of a range. */
export type ProxyException =
  | { readonly kind: "all" }
  | { readonly kind: "host"; readonly host: string; readonly port?: number }
  | { readonly kind: "range"; readonly range: string };

/** How calls leave. At least one of the proxies is there. */
export interface ProxySettings {
  /** For `http:` and `ws:`. */
  readonly http?: ProxyAddress;
  /** For `https:` and `wss:`. */
  readonly https?: ProxyAddress;
  readonly exceptions: readonly ProxyException[];
}
