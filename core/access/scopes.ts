/** What a credential can be, as far as scopes go (control-plane.md section 2.2). */
export type CredentialKind = "organisation-service" | "workspace-service" | "workspace-user" | "jwt";

/** A scope, with the kinds of credentials that may hold it. */
export interface ScopeRow {
  readonly scope: string;
  readonly kinds: readonly CredentialKind[];
  /** Not of the base catalogue, but in use. */
  readonly further?: true;
}

type Row = readonly [families: string, verbs: string, kinds: readonly CredentialKind[]];

const organisation: readonly CredentialKind[] = ["organisation-service"];
const services: readonly CredentialKind[] = ["organisation-service", "workspace-service"];
const workspace: readonly CredentialKind[] = ["workspace-service", "workspace-user", "jwt"];
const everybody: readonly CredentialKind[] = [...organisation, ...workspace];
const tokens: readonly CredentialKind[] = ["jwt"];

const usual = "create read update delete list";

/** The catalogue of control-plane.md section 2.5: families, their verbs, who may hold them. */
const base: readonly Row[] = [
  ["organisation_users organisation_guardrails deployments secret_references", usual, organisation],
  ["organisation_service_api_keys", `${usual} rotate`, organisation],
  ["organisation_settings", "read update", organisation],
  ["organisation_exclusions", "update list", organisation],
  ["audit_logs", "list", organisation],
  ["plugins", "create update list", organisation],
  ["workspaces", "create delete", organisation],
  ["workspaces", "read update list", everybody],
  ["workspace_users", usual, everybody],
  ["workspace_service_api_keys workspace_user_api_keys", `${usual} rotate`, services],
  ["prompts", `${usual} publish`, everybody],
  ["prompts", "render", workspace],
  ["configs guardrails providers policies mcp_servers agent_servers", usual, everybody],
  ["guardrails", "invoke", workspace],
  ["virtual_keys", `${usual} duplicate copy`, everybody],
  [
    "organisation_integrations organisation_mcp_integrations organisation_agent_integrations",
    "create read update delete",
    organisation,
  ],
  ["organisation_integrations organisation_mcp_integrations organisation_agent_integrations", "list", everybody],
  ["workspace_integrations workspace_mcp_integrations workspace_agent_integrations", usual, everybody],
  ["completions", "write", workspace],
  ["mcp agents", "invoke", workspace],
  ["analytics", "view", everybody],
  ["logs", "list view export", everybody],
  ["logs", "write", workspace],
];

/** Names in use besides. `health.read` is ours: what the circuit breakers of this process see. */
const further: readonly Row[] = [
  ["models", "list", workspace],
  ["logs", "read", workspace],
  ["completions", "read", tokens],
  ["feedbacks", "read write", tokens],
  ["providers", "duplicate", tokens],
  ["agent_server_skills agent_integration_skills agent_server_user_access", "read update list", everybody],
  ["health", "read", everybody],
];

const scopesIn = (rows: readonly Row[], more: Pick<ScopeRow, "further"> = {}): ScopeRow[] =>
  rows.flatMap(([families, verbs, kinds]) =>
    families
      .split(" ")
      .flatMap((family) => verbs.split(" ").map((verb) => ({ scope: `${family}.${verb}`, kinds, ...more }))),
  );

/** Every scope there is. */
export const scopeCatalogue: readonly ScopeRow[] = [...scopesIn(base), ...scopesIn(further, { further: true })];

const byKind = new Map(
  everybody.map((kind) => [
    kind,
    new Set(scopeCatalogue.filter(({ kinds }) => kinds.includes(kind)).map(({ scope }) => scope)),
  ]),
);

const none: ReadonlySet<string> = new Set();

/** The scopes a kind of credential may hold. */
export const grantableScopes = (kind: CredentialKind): ReadonlySet<string> => byKind.get(kind) ?? none;

/** A scope in the spelling it is kept and compared in: `gateway.completions:write` is `completions.write`. */
export const plainScope = (written: string): string =>
  written
    .trim()
    .replace(/^gateway\./, "")
    .replace(":", ".");
