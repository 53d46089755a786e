import { GatewayError, grantableScopes, type ManagementCall } from "../../core/index.ts";
import type { People, WorkspaceRole } from "./people.ts";
import type { SecurityToggle } from "./settings.ts";

type Toggle =
  | `${"View" | "Write"}${"Prompts" | "Guardrails" | "Configs" | "Providers" | "ApiKeys" | "Analytics"}`
  | "WriteWsIntegrations"
  | "WriteWsMcpIntegrations"
  | "WriteMcpServers"
  | "ManageWorkspace";

/** Which setting decides about scopes of a family, to read and to write; null where the role alone does. */
const families: Readonly<Record<string, { readonly read: Toggle | null; readonly write: Toggle | null }>> = {
  prompts: { read: "ViewPrompts", write: "WritePrompts" },
  guardrails: { read: "ViewGuardrails", write: "WriteGuardrails" },
  configs: { read: "ViewConfigs", write: "WriteConfigs" },
  providers: { read: "ViewProviders", write: "WriteProviders" },
  virtual_keys: { read: "ViewProviders", write: "WriteProviders" },
  workspace_integrations: { read: null, write: "WriteWsIntegrations" },
  workspace_mcp_integrations: { read: null, write: "WriteWsMcpIntegrations" },
  mcp_servers: { read: null, write: "WriteMcpServers" },
  workspace_user_api_keys: { read: "ViewApiKeys", write: "WriteApiKeys" },
  workspace_service_api_keys: { read: "ViewApiKeys", write: "WriteApiKeys" },
  analytics: { read: "ViewAnalytics", write: null },
  // What is shown of a log is for those to settle who show it (`logSight`).
  logs: { read: null, write: null },
};

const reading: ReadonlySet<string> = new Set(["read", "list", "view", "render", "invoke", "export"]);

/** What a key does for its person's own requests; no role stands in its way. */
const ownRequests: ReadonlySet<string> = new Set([
  "completions.write",
  "logs.write",
  "feedbacks.write",
  "prompts.render",
  "guardrails.invoke",
  "mcp.invoke",
  "agents.invoke",
]);

/** What a member of a workspace may do by default; the other roles may whatever a key of a person can (section 2.7). */
const memberScopes = [
  "organisations.read",
  "organisation_users.read",
  "workspaces.read",
  "logs.list",
  "logs.view",
  "analytics.view",
  "prompts.read",
  "prompts.list",
  "configs.read",
  "configs.list",
  "guardrails.read",
  "guardrails.list",
  "virtual_keys.read",
  "virtual_keys.list",
  "providers.read",
  "providers.list",
  "workspace_users.read",
  "workspace_users.list",
  "completions.write",
  "prompts.render",
];

/** Families of keys that admins and managers of a workspace manage, besides what a key of a person can do. */
const keyFamilies = ["workspace_service_api_keys", "workspace_user_api_keys"];

const managerScopes = [
  ...grantableScopes("workspace-user"),
  ...[...grantableScopes("workspace-service")].filter((scope) => keyFamilies.includes(scope.split(".")[0] ?? "")),
];

/** What somebody's role in a workspace lets them do, for those who show it. */
export const scopesOf = (role: WorkspaceRole): readonly string[] => (role === "member" ? memberScopes : managerScopes);

/** Families of which a plain member writes where a setting says so; of all others they write nothing. */
const membersWrite: ReadonlySet<string> = new Set(["prompts", "configs", "workspace_user_api_keys"]);

export interface RoleGuardParts {
  readonly people: Pick<People, "rolesOf">;
  /** Whether a toggle is on for a workspace. */
  readonly allows: (organisation: string, workspace: string | undefined, toggle: SecurityToggle) => Promise<boolean>;
}

/**
 * Refuses what the role of the person behind a key forbids, whatever scopes the key has (control-plane.md sections 2.7
 * and 2.8). Keys of services have no person and no role.
 */
export const roleGuard =
  ({ people, allows }: RoleGuardParts) =>
  async (call: ManagementCall, scopes: readonly string[]): Promise<void> => {
    const { principal, organisation, own } = call;
    if (principal.user === undefined || !own) return;
    const roles = await people.rolesOf(organisation, own.id, principal.user);
    if (roles?.organisation !== "member") return;
    const role = roles.workspace ?? "member";
    if (role === "admin") return;
    for (const scope of scopes) if (call.holds(scope) && (await mayUse(scope, role, own.id))) return;
    if (scopes.length > 0) throw new GatewayError("forbidden", `A ${role} of this workspace may not do that.`);

    async function mayUse(scope: string, of: WorkspaceRole, workspace: string): Promise<boolean> {
      if (ownRequests.has(scope)) return true;
      const [family = "", verb = ""] = scope.split(".");
      const writes = !reading.has(verb);
      if (writes && of === "member" && !membersWrite.has(family)) return false;
      const toggle = families[family]?.[writes ? "write" : "read"];
      if (!toggle) return !writes || of === "manager";
      return allows(organisation, workspace, `${of}s${toggle}` as SecurityToggle);
    }
  };
