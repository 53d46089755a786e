import { describe, expect, it } from "vitest";
import { grantableScopes, type ManagementCall } from "../../core/index.ts";
import type { OrganisationRole, WorkspaceRole } from "./people.ts";
import { roleGuard } from "./roles.ts";
import { type SecurityToggle, securityDefaults } from "./settings.ts";

/** Of a key of a person, and of those it makes keys with. */
const scopes = [
  ...grantableScopes("workspace-user"),
  ...[...grantableScopes("workspace-service")].filter((scope) => /^workspace_(user|service)_api_keys\./.test(scope)),
];

type Somebody = { readonly organisation: OrganisationRole; readonly workspace: WorkspaceRole | undefined } | undefined;

/** What somebody may who holds everything, where toggles are as they are, but for one. */
async function allowed(who: Somebody, flipped?: SecurityToggle): Promise<string[]> {
  const guard = roleGuard({
    people: { rolesOf: async () => who },
    allows: async (_, __, toggle) => securityDefaults[toggle] !== (toggle === flipped),
  });
  const call = { organisation: "o", own: { id: "w" }, principal: { id: "k", user: "u" }, holds: () => true };
  const may = await Promise.all(
    scopes.map((scope) =>
      guard(call as unknown as ManagementCall, [scope]).then(
        () => [scope],
        () => [],
      ),
    ),
  );
  return may.flat();
}

const inWorkspace = (workspace: WorkspaceRole | undefined): Somebody => ({ organisation: "member", workspace });
const every = (families: string, verbs: string): string[] =>
  families.split(" ").flatMap((family) => verbs.split(" ").map((verb) => `${family}.${verb}`));

const keys = "workspace_user_api_keys workspace_service_api_keys";
const writes = "create update delete";

/** What the requests of a person themselves need; no role stands in its way. */
const requests = [
  "completions.write",
  "logs.write",
  "prompts.render",
  "guardrails.invoke",
  "mcp.invoke",
  "agents.invoke",
];

/** What a toggle decides about (control-plane.md section 2.8); of whom its name says. */
const decided: Readonly<Record<string, readonly string[]>> = {
  ViewPrompts: every("prompts", "read list"),
  WritePrompts: every("prompts", `${writes} publish`),
  ViewGuardrails: every("guardrails", "read list"),
  WriteGuardrails: every("guardrails", writes),
  ViewConfigs: every("configs", "read list"),
  WriteConfigs: every("configs", writes),
  ViewProviders: every("providers virtual_keys", "read list"),
  WriteProviders: [...every("providers virtual_keys", writes), ...every("virtual_keys", "copy duplicate")],
  WriteWsIntegrations: every("workspace_integrations", writes),
  WriteWsMcpIntegrations: every("workspace_mcp_integrations", writes),
  WriteMcpServers: every("mcp_servers", writes),
  ViewApiKeys: every(keys, "read list"),
  WriteApiKeys: every(keys, `${writes} rotate`),
  ViewAnalytics: ["analytics.view"],
  // What is shown of logs, and budgets, are settled where they are.
  ViewLogs: [],
  ViewLogMetadata: [],
  ViewAllData: [],
  ManageWorkspace: [],
};

describe("a role", () => {
  const roles: readonly (readonly [string, Somebody, (scope: string) => boolean])[] = [
    ["owner", { organisation: "owner", workspace: undefined }, () => true],
    ["admin of the organisation", { organisation: "admin", workspace: "member" }, () => true],
    ["admin of the workspace", inWorkspace("admin"), () => true],
    ["manager", inWorkspace("manager"), () => true],
    ["member", inWorkspace("member"), isForMembers],
    ["nothing in the workspace", inWorkspace(undefined), isForMembers],
    ["nobody of the organisation", undefined, () => true],
  ];

  it.each(roles)("of %s lets do what it says", async (_, who, may) => {
    expect(await allowed(who)).toEqual(scopes.filter(may));
  });

  /** Members read, and make keys of their own (section 2.7); what is decided about prompts and configs is off at first. */
  function isForMembers(scope: string): boolean {
    const [family = "", verb = ""] = scope.split(".");
    if (requests.includes(scope) || ["read", "list", "view", "export"].includes(verb)) return true;
    return family === "workspace_user_api_keys";
  }

  const toggles = Object.keys(securityDefaults) as SecurityToggle[];

  it.each(toggles)("and %s, which decides about what its name says, and nothing else", async (toggle) => {
    const [, whose = "", what = ""] = /^(managers|members|organisationAdmins)(.+)$/.exec(toggle) ?? [];
    const others = [inWorkspace("admin"), inWorkspace(whose === "members" ? "manager" : "member")];
    for (const who of others) expect(await allowed(who, toggle)).toEqual(await allowed(who));
    const who = inWorkspace(whose === "members" ? "member" : "manager");
    const [before, after] = [await allowed(who), await allowed(who, toggle)];
    const changed = scopes.filter((scope) => before.includes(scope) !== after.includes(scope));
    // Members write no keys of services, whatever is set.
    const never = whose === "members" ? every("workspace_service_api_keys", `${writes} rotate`) : [];
    const its = decided[what]?.filter((scope) => !never.includes(scope)) ?? [];
    expect(changed.sort()).toEqual([...its].sort());
    expect(after.includes(changed[0] ?? "")).toBe(changed.length > 0 && !securityDefaults[toggle]);
  });
});
