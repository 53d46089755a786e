import { isIP } from "node:net";
import { GatewayError } from "../../errors/gateway-error.ts";
import { atMost } from "../../time/at-most.ts";
import type { AddressRules } from "./address-rules.ts";
import { addressBlocked, checkedLookup, type Resolve } from "./checked-addresses.ts";

/** Milliseconds to resolve a name of the operator's in, where a proxy resolves it in any case. */
const patience = 1_000;

/** Milliseconds for which a name of the operator's that nobody here knew is not asked for again. */
const unknownFor = 30_000;

/**
 * Looks at the addresses behind a name that a proxy will resolve (operations.md section 9.5). Rejects with `address_blocked`
 * for a forbidden one. A name that is not known here is left to the proxy, and so is one of the operator's that takes long:
 * where names are the proxy's business, nobody may answer. A caller's name is waited for.
 */
export function nameCheck(
  rules: AddressRules,
  untrusted: boolean,
  resolve?: Resolve,
): (hostname: string) => Promise<void> {
  const lookup = checkedLookup(rules, untrusted, resolve);
  /** Lookups that nobody has answered: the process has few at a time, and others wait for them (`getaddrinfo`). */
  const underWay = new Map<string, Promise<void>>();
  /** The operator's names that were not known here, and until when nobody asks for them. */
  const unknown = new Map<string, number>();

  const lookedUp = (hostname: string): Promise<void> =>
    new Promise((proceed, refuse) => {
      lookup(hostname, { all: true }, (error) => {
        if (error instanceof GatewayError) return refuse(error);
        if (error && !untrusted) unknown.set(hostname, performance.now() + unknownFor);
        else unknown.delete(hostname);
        proceed();
      });
    });

  return async (hostname) => {
    if (isIP(hostname)) {
      if (!rules.mayConnect(hostname, hostname, untrusted)) throw addressBlocked();
      return;
    }
    if ((unknown.get(hostname) ?? 0) > performance.now()) return;
    const looking = underWay.get(hostname) ?? lookedUp(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, looking);
    if (untrusted) return looking;
    if (!(await atMost(patience, looking))) unknown.set(hostname, performance.now() + unknownFor);
  };
}
