import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { ProxyAddress, ProxyException, ProxySettings } from "../../model/proxy.ts";
import { unbracketed } from "../host-names.ts";

/** Where a connection goes: the scheme without its colon, a host without brackets, and a port. */
export interface Destination {
  readonly scheme: "http" | "https" | "ws" | "wss";
  readonly hostname: string;
  readonly port: number;
}

/** The proxy a destination is reached through; undefined is straight there. */
export type ProxyChoice = (destination: Destination) => ProxyAddress | undefined;

export const isSecure = ({ scheme }: Pick<Destination, "scheme">): boolean => scheme === "https" || scheme === "wss";

/** Where an origin is: `https://example.com`, `ws://[::1]:8080`. */
export function destinationOf(origin: string): Destination {
  const { protocol, hostname, port } = new URL(origin);
  const scheme = protocol.slice(0, -1) as Destination["scheme"];
  const number = port === "" ? (isSecure({ scheme }) ? 443 : 80) : Number(port);
  return { scheme, hostname: unbracketed(hostname), port: number };
}

/**
 * Chooses by scheme, and none for exceptions. Only the text counts, no name is resolved: a range holds hosts that are
 * addresses. This machine is no exception unless it is listed.
 */
export function proxyChoice({ http, https, exceptions }: ProxySettings): ProxyChoice {
  const excepted = exceptions.map(matcherOf);
  return (destination) => {
    const proxy = isSecure(destination) ? https : http;
    if (!proxy) return undefined;
    const hostname = normal(destination.hostname);
    return excepted.some((matches) => matches(hostname, destination.port)) ? undefined : proxy;
  };
}

type Matcher = (hostname: string, port: number) => boolean;

function matcherOf(exception: ProxyException): Matcher {
  switch (exception.kind) {
    case "all":
      return () => true;
    case "range": {
      const [network, bits] = ipaddr.parseCIDR(exception.range);
      return (hostname) => {
        if (!isIP(hostname)) return false;
        const address = ipaddr.process(hostname);
        return address.kind() === network.kind() && address.match(network as never, bits);
      };
    }
    case "host": {
      const { host, port } = exception;
      const below = isIP(host) ? undefined : `.${host}`;
      return (hostname, called) =>
        (port === undefined || port === called) &&
        (hostname === host || (below !== undefined && hostname.endsWith(below) && !isIP(hostname)));
    }
  }
}

/** As exceptions are written: in lower case, an address in its shortest form, no dot at the end. */
const normal = (hostname: string): string =>
  isIP(hostname) ? ipaddr.parse(hostname).toString() : hostname.toLowerCase().replace(/\.$/, "");
