/** Operations of the management API, as control-plane.md section 26 lists them: method and path below `/v1`. */
export interface SpecifiedOperation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
}

/** A path with the methods it has. */
const families: Readonly<Record<string, readonly string[]>> = {
  collections: ["GET POST /collections", "GET PUT DELETE /collections/{collectionId}"],
  labels: ["GET POST /labels", "GET PUT DELETE /labels/{labelId}"],
  prompts: [
    "GET POST /prompts",
    "GET PUT DELETE /prompts/{promptId}",
    "GET /prompts/{promptId}/versions",
    "GET PUT /prompts/{promptId}/versions/{versionId}",
    "PUT /prompts/{promptId}/makeDefault",
    "GET POST /prompts/partials",
    "GET PUT DELETE /prompts/partials/{promptPartialId}",
    "GET /prompts/partials/{promptPartialId}/versions",
    "PUT /prompts/partials/{promptPartialId}/makeDefault",
    "POST /prompts/{promptId}/completions",
    "POST /prompts/{promptId}/render",
    "POST PUT DELETE /prompts/{promptId}/share",
    "POST /prompts/{promptId}/fork",
    "POST PUT DELETE /prompts/partials/{promptPartialId}/share",
    "POST /prompts/partials/{promptPartialId}/fork",
  ],
  guardrails: ["GET POST /guardrails", "GET PUT DELETE /guardrails/{guardrailId}"],
  configs: ["GET POST /configs", "GET PUT DELETE /configs/{slug}", "GET /configs/{slug}/versions"],
  logs: ["GET POST /logs", "GET /logs/{logId}"],
  feedback: ["POST /feedback", "PUT /feedback/{id}"],
  integrations: [
    "GET POST /integrations",
    "GET PUT DELETE /integrations/{slug}",
    "GET PUT DELETE /integrations/{slug}/models",
    "GET PUT /integrations/{slug}/workspaces",
  ],
  providers: ["GET POST /providers", "GET PUT DELETE /providers/{slug}"],
  virtualKeys: ["GET POST /virtual-keys", "GET PUT DELETE /virtual-keys/{slug}"],
  admin: [
    "GET POST /admin/users/invites",
    "GET DELETE /admin/users/invites/{inviteId}",
    "POST /admin/users/invites/{inviteId}/resend",
    "POST /admin/users/invites/{inviteId}/accept",
    "GET /admin/users",
    "GET PUT DELETE /admin/users/{userId}",
    "GET POST /admin/workspaces/{workspaceId}/users",
    "GET PUT DELETE /admin/workspaces/{workspaceId}/users/{userId}",
    "GET POST /admin/workspaces",
    "GET PUT DELETE /admin/workspaces/{workspaceId}",
    "GET PUT /admin/organisation",
    "GET PUT /admin/organisation/defaults",
    "GET PUT /workspace-exclusions/input-guardrails",
    "GET PUT /workspace-exclusions/output-guardrails",
  ],
  scim: ["GET POST /scim/workspaces", "DELETE /scim/workspaces/{scimWorkspaceGroupId}", "GET /scim/groups"],
  apiKeys: [
    "POST /api-keys/{type}/{sub-type}",
    "GET /api-keys",
    "GET PUT DELETE /api-keys/{id}",
    "POST /api-keys/{id}/rotate",
  ],
  policies: [
    "GET POST /policies/usage-limits",
    "GET PUT DELETE /policies/usage-limits/{policyUsageLimitsId}",
    "GET /policies/usage-limits/{policyUsageLimitsId}/entities",
    "PUT /policies/usage-limits/{policyUsageLimitsId}/entities/{entityId}/reset",
    "GET POST /policies/rate-limits",
    "GET PUT DELETE /policies/rate-limits/{rateLimitsPolicyId}",
  ],
  secretReferences: ["GET POST /secret-references", "GET PUT DELETE /secret-references/{secretReferenceId}"],
  deployments: ["GET POST /deployments", "GET PUT DELETE /deployments/{deploymentId}"],
  plugins: ["GET POST /plugins", "PUT /plugins/{id}"],
  auditLogs: ["GET /audit-logs"],
};

/** Those that are not served yet, with what they wait for: they are listed so that nobody takes them for forgotten. */
export const notYet: readonly string[] = [
  "mcp-integrations and mcp-servers: the MCP gateway",
  "logs/exports, logs/groups, analytics: aggregates over the logs",
];

export const specified: readonly SpecifiedOperation[] = Object.values(families)
  .flat()
  .flatMap((row) => {
    const words = row.split(" ");
    const path = words.pop() ?? "";
    return words.map((method) => ({ method: method as SpecifiedOperation["method"], path }));
  });
