import { isIP } from "node:net";
import type { Environment } from "../environment.ts";
import { isNeverAllowed } from "../http/upstream/address-rules.ts";

/** A host to compare with, or why the entry cannot be one (operations.md section 9.4): `idle` where it is one that no trust opens. */
export type TrustedHost = { readonly host: string } | { readonly problem: string; readonly idle?: true };

/** Reduces an entry to its host: `https://Example.com:8080/path` and `*.example.com` are `example.com`. */
export function trustedHost(entry: string): TrustedHost {
  const text = entry.trim().toLowerCase();
  const withoutScheme = text.replace(/^[a-z][a-z0-9+.-]*:\/\//, "");
  if (withoutScheme === text && /^[0-9a-f.:]+\/\d+$/.test(text)) {
    return { problem: "address ranges are not supported; list the addresses" };
  }
  const authority = withoutScheme.split("/")[0] ?? "";
  const bare = authority.replace(/^\[(.*)\](:\d+)?$/, "$1");
  const host = isIP(bare) ? bare : bare.replace(/:\d+$/, "");
  const apex = host.replace(/^\*\./, "");
  if (apex !== host && isIP(apex)) return { problem: "an address has no subdomains; write it without *." };
  if (isNeverAllowed(apex))
    return { problem: "is never called, trusted or not: metadata services and the like", idle: true };
  if (isIP(apex) || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(apex)) return { host: apex };
  return { problem: "is not a host name or an address" };
}

const thisMachine = ["localhost", "127.0.0.1", "::1", "host.docker.internal"];

/** The list when the file has none. Entries that cannot be used are left out with a warning. */
export function trustedHostsOf(environment: Environment): { hosts: readonly string[]; warnings: readonly string[] } {
  const listed = environment.value("TRUSTED_CUSTOM_HOSTS");
  if (listed === undefined) {
    return { hosts: environment.value("NODE_ENV") === "production" ? [] : thisMachine, warnings: [] };
  }
  const hosts: string[] = [];
  const warnings: string[] = [];
  for (const [index, entry] of listed.split(",").entries()) {
    if (entry.trim() === "") continue;
    const read = trustedHost(entry);
    // By number and not by text: the value of a variable is never printed.
    if ("problem" in read) warnings.push(`TRUSTED_CUSTOM_HOSTS: entry ${index + 1} is left out: ${read.problem}`);
    else hosts.push(read.host);
  }
  return { hosts, warnings };
}
