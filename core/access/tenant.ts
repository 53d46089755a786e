import type { Principal } from "../model/principal.ts";

/** Whose things a principal's are: those of its workspace, which share them; one without a workspace has its own. */
export function tenantOf(principal: Principal): string {
  const known = tenants.get(principal);
  if (known !== undefined) return known;
  const { id, organisation, workspace } = principal;
  const own = organisation === undefined && workspace === undefined;
  const tenant = JSON.stringify(own ? ["principal", id] : ["workspace", organisation ?? "", workspace ?? ""]);
  tenants.set(principal, tenant);
  return tenant;
}

/** Who comes once comes again. */
const tenants = new WeakMap<Principal, string>();

/** The workspace of a principal; empty for those that belong to none, who share what is found out for one of them. */
export function workspaceKey(principal: Principal | undefined): string {
  const { organisation = "", workspace = "" } = principal ?? {};
  return organisation === "" && workspace === "" ? "" : `${organisation}/${workspace}`;
}
