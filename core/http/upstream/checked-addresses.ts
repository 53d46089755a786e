import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { GatewayError } from "../../errors/gateway-error.ts";
import { remembered } from "../../keeping/remembered.ts";
import type { AddressRules } from "./address-rules.ts";
import { origins } from "./origins.ts";

export const addressBlocked = () => new GatewayError("address_blocked", "Upstream address is not allowed.");

/** What names are resolved with: `dns.lookup`, and in tests what stands for it. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** Resolves a name and refuses it when any of its addresses is forbidden; the connection uses the checked addresses. */
export const checkedLookup = (
  rules: AddressRules,
  untrusted: boolean,
  resolve: Resolve = systemLookup,
): LookupFunction =>
  ((hostname: string, options: object, done: (error: Error | null, ...found: unknown[]) => void) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error);
      const bad = addresses.find(({ address }) => !rules.mayConnect(address, hostname, untrusted));
      if (bad) return done(addressBlocked());
      if ("all" in options && options.all) return done(null, addresses);
      const [first] = addresses;
      return done(null, first?.address, first?.family);
    });
  }) as LookupFunction;

/** Whether an origin that is an address may be called; asked once per origin. */
export function literalCheck(rules: AddressRules): (origin: string, untrusted: boolean) => boolean {
  const check = (untrusted: boolean) =>
    remembered(origins, (origin) => {
      const literal = literalHost(origin);
      return literal === undefined || rules.mayConnect(literal, literal, untrusted);
    });
  const trustedMay = check(false);
  const untrustedMay = check(true);
  return (origin, untrusted) => (untrusted ? untrustedMay(origin) : trustedMay(origin));
}

/** The address of an origin that names no host: there is no lookup on the way to check it in. */
function literalHost(origin: string): string | undefined {
  const host = origin.slice(Math.max(origin.indexOf("//") + 1, origin.lastIndexOf("@")) + 1);
  if (host.startsWith("[")) return host.slice(1, host.indexOf("]"));
  const first = host.charCodeAt(0);
  if (first < 0x30 || first > 0x39) return undefined;
  const name = host.replace(/:\d+$/, "");
  return isIP(name) ? name : undefined;
}
