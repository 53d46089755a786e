import type { Principal } from "./model/exchange.ts";

/** Whose things a principal's are: those of its workspace, which share them; one without a workspace has its own. */
export function tenantOf({ id, organisation, workspace }: Principal): string {
  if (organisation === undefined && workspace === undefined) return JSON.stringify(["principal", id]);
  return JSON.stringify(["workspace", organisation ?? "", workspace ?? ""]);
}
