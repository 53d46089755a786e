import { type CredentialMember, originOf, refuseElsewhere } from "../../core/index.ts";
import { managers } from "./managers/index.ts";
import type { ReferenceDocument } from "./reference-store.ts";

type Named = Pick<ReferenceDocument, "manager_type" | "auth_config">;

/** Refuses a change that would have a credential that is kept shown to a vault on another host. `sent` is its `auth_config`. */
export function refuseOtherVault(before: Named, after: Named, sent: Named["auth_config"] = {}): void {
  const move = {
    before: hostsOf(before),
    after: hostsOf(after),
    credentials: credentialsOf(after),
    sent: credentialsOf({ ...after, auth_config: sent }),
  };
  refuseElsewhere(move, (member) => `auth_config.${member}`);
}

/** Who is called: the hosts of managers that have addresses of their own. */
function hostsOf({ manager_type, auth_config }: Named): string[] {
  const { auth, addresses } = managers[manager_type];
  if (!addresses || !auth.safeParse(auth_config).success) return [];
  return Object.values(addresses(auth_config)).map((url) => originOf(url) ?? url);
}

const credentialsOf = ({ manager_type, auth_config }: Named): CredentialMember[] =>
  managers[manager_type].masked.flatMap((member): CredentialMember[] => {
    const value = auth_config[member];
    return typeof value === "string" ? [[member, value]] : [];
  });
