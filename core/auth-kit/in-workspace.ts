import type { Principal } from "../model/principal.ts";
import type { Workspace } from "../services/organisations.ts";

interface Made {
  readonly workspace: Workspace;
  readonly principal: Principal;
}

/** By what a credential says of itself alone. */
const made = new WeakMap<Principal, Made>();

/**
 * The principal of a credential in its workspace, whose metadata wins over that of the credential (control-plane.md
 * section 5.2). Made once, and again when the workspace has changed.
 */
export function inWorkspace(own: Principal, workspace: Workspace): Principal {
  const known = made.get(own);
  if (known?.workspace === workspace) return known.principal;
  const principal = { ...own, metadata: { ...own.metadata, ...workspace.metadata } };
  made.set(own, { workspace, principal });
  return principal;
}
