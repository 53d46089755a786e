import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import {
  embeddingRanges,
  forbiddenNames,
  forbiddenPorts,
  forbiddenRanges,
  forbiddenSuffixes,
  internalRanges,
  internalSuffixes,
} from "./address-lists.ts";

/** Where calls may go (operations.md section 9): a check of the text of a URL, and one of the address connected to. */
export interface AddressRules {
  /**
   * Why a URL chosen by a caller is refused; undefined when it is fine. The reason is for the log, not for the caller. One
   * that is saved among the records may name a service of the cluster, where that is trusted.
   */
  refuseUrl(url: string, saved?: boolean): string | undefined;
  /** Whether a resolved address may be connected to. Hosts named by the operator only lose metadata services. */
  mayConnect(address: string, hostname: string, untrusted: boolean): boolean;
}

export interface AddressSettings {
  /** Private hosts callers may name; subdomains match. */
  readonly trustedHosts: readonly string[];
  /** Host and port pairs of the gateway itself: calling them would loop. */
  readonly ownHosts: readonly string[];
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];
const parsed = (ranges: readonly string[]): Range[] => ranges.map((range) => ipaddr.parseCIDR(range));
const internal = parsed(internalRanges);
const forbidden = parsed(forbiddenRanges);
const unspecifiedAndLoopback = parsed(["::/127"]);
const embedding = embeddingRanges.map(({ range, at }) => ({ range: ipaddr.parseCIDR(range), at }));

const within = (address: ipaddr.IPv4 | ipaddr.IPv6, ranges: readonly Range[]) =>
  ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits));

/** The IPv4 address hidden in an IPv6 one, or the address itself. `::` and `::1` are themselves. */
function unwrapped(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address.kind() === "ipv4" || within(address, unspecifiedAndLoopback)) return address;
  const found = embedding.find(({ range }) => within(address, [range]));
  return found ? ipaddr.fromByteArray(address.toByteArray().slice(found.at, found.at + 4)) : address;
}

/** A service of the cluster, but not the one that runs it. */
const isOfCluster = (host: string) => host.endsWith(".cluster.local") && !/(?:^|\.)kubernetes\.default\./.test(host);

const endsWith = (host: string, suffix: string) => host === suffix || host.endsWith(`.${suffix}`);

/** An IPv6 address may be written in many ways, and is compared in one of them. */
const spelling = (host: string) =>
  host.includes(":") && ipaddr.IPv6.isValid(host) ? ipaddr.IPv6.parse(host).toString() : host;

const isForbiddenName = (host: string) =>
  (forbiddenNames as readonly string[]).includes(host) || forbiddenSuffixes.some((suffix) => endsWith(host, suffix));

/** Whether trust in a host, a name or an address in lower case, opens nothing. */
export function isNeverAllowed(host: string): boolean {
  if (isIP(host)) return within(unwrapped(ipaddr.parse(host)), forbidden);
  return isForbiddenName(host) && host !== "cluster.local" && !isOfCluster(host);
}

export function addressRules({ trustedHosts, ownHosts }: AddressSettings): AddressRules {
  const trusted = trustedHosts.map((host) => spelling(host.toLowerCase()));
  const isTrusted = (host: string) => {
    const spelt = spelling(host);
    return trusted.some((entry) => spelt === entry || (!ipaddr.isValid(entry) && endsWith(spelt, entry)));
  };
  const own = ownHosts.map((pair) => {
    const port = pair.lastIndexOf(":");
    return spelling(pair.slice(0, port).toLowerCase()) + pair.slice(port);
  });
  /** Names below localhost are this machine wherever they are known. */
  const isOwn = (host: string, port: number) =>
    own.includes(`${endsWith(host, "localhost") ? "localhost" : spelling(host)}:${port}`);

  return {
    refuseUrl(url, saved = false) {
      const text = url.trim();
      const host = hostOf(text);
      if ("refused" in host) return host.refused;
      const { hostname, port, literal } = host;
      if (isOwn(hostname, port)) return "it is the gateway itself";
      if (forbiddenPorts.has(port)) return `port ${port} is not allowed`;
      if (isForbiddenName(hostname))
        return saved && isOfCluster(hostname) && isTrusted(hostname) ? undefined : "the name is never allowed";
      if (literal) return refuseLiteral(literal, isTrusted(hostname));
      if (isTrusted(hostname)) return undefined;
      if (!hostname.includes(".")) return "a single-label host must be trusted";
      if (internalSuffixes.some((suffix) => endsWith(hostname, suffix))) return "an internal name must be trusted";
      return undefined;
    },
    mayConnect(address, hostname, untrusted) {
      if (!ipaddr.isValid(address)) return false;
      const inner = unwrapped(ipaddr.parse(address));
      if (within(inner, forbidden)) return false;
      return !untrusted || isTrusted(hostname.toLowerCase()) || !within(inner, internal);
    },
  };
}

function refuseLiteral(literal: ipaddr.IPv4 | ipaddr.IPv6, isTrusted: boolean): string | undefined {
  const inner = unwrapped(literal);
  if (within(inner, forbidden)) return "the address is never allowed";
  if (inner !== literal && within(inner, internal))
    return "an IPv6 address that hides an internal one is never allowed";
  return !isTrusted && within(inner, internal) ? "an internal address must be trusted" : undefined;
}

type Host = { hostname: string; port: number; literal?: ipaddr.IPv4 | ipaddr.IPv6 } | { refused: string };

/** Judges the raw text, because URL parsers turn Unicode into punycode and odd numbers into dotted quads. */
function hostOf(text: string): Host {
  if (text === "" || text.length > 2048) return { refused: "it is empty or longer than 2048 characters" };
  const match = /^(https?):\/\/(\[[0-9a-fA-F:.]+\]|[^/?#:[\]]*)(?::(\d{1,5}))?(?:[/?][\x21-\x7e]*)?$/i.exec(text);
  if (!match || text.includes("@") || text.includes("#")) return { refused: "it is not a plain http or https URL" };
  const [, scheme = "", rawHost = "", rawPort] = match;
  const hostname = rawHost.toLowerCase();
  const port = rawPort ? Number(rawPort) : scheme.toLowerCase() === "https" ? 443 : 80;
  if (port < 1 || port > 65535) return { refused: "the port is out of range" };
  if (hostname.startsWith("[")) {
    const inside = hostname.slice(1, -1);
    if (!ipaddr.IPv6.isValid(inside)) return { refused: "the IPv6 address is malformed" };
    return { hostname: inside, port, literal: ipaddr.IPv6.parse(inside) };
  }
  if (!/^[a-z0-9.-]+$/.test(hostname)) return { refused: "the host has characters that are not allowed" };
  const labels = hostname.split(".");
  if (labels.length > 10 || labels.some((label) => label === "" || label.length > 63 || label.startsWith("xn--")))
    return { refused: "the host has an empty, overlong or punycode label, or too many" };
  // A host whose last label is a number is an address to URL parsers, whatever stands before it.
  if (/^(0x[0-9a-f]*|\d+)$/.test(labels.at(-1) ?? "")) {
    if (!ipaddr.IPv4.isValidFourPartDecimal(hostname) || labels.some((label) => /^0\d/.test(label)))
      return { refused: "addresses are written as four decimal numbers" };
    return { hostname, port, literal: ipaddr.IPv4.parse(hostname) };
  }
  return { hostname, port };
}
