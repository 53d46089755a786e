import { aNumber, anId, each, type Family, text } from "./table.ts";

/** Which workspaces do without the guardrails of their organisation. */
const exclusions = (side: "input" | "output"): Family["operations"] => ({
  [`GET /workspace-exclusions/${side}-guardrails`]: {
    scope: "organisation_exclusions.list",
    answer: { total: aNumber },
  },
  [`PUT /workspace-exclusions/${side}-guardrails`]: {
    scope: "organisation_exclusions.update",
    body: { organisation_id: "$organisation", workspaces: [{ workspace_id: "$workspace", excluded: true }] },
    answer: {},
    missing: ["workspaces", "workspaces[0].workspace_id", "workspaces[0].excluded"],
    type: [
      ["workspaces", "all"],
      ["workspaces[0].excluded", "yes"],
      ["override_existing", "yes"],
    ],
  },
});

/** control-plane.md section 18. */
export const settings: Family = {
  things: {},
  operations: {
    "GET /admin/organisation": {
      scope: "organisation_settings.read",
      answer: { id: "$organisation", settings: {}, workspace_overrides: {} },
    },
    "PUT /admin/organisation": {
      scope: "organisation_settings.update",
      body: { name: "Example", settings: { user_api_key_limit: 1000 } },
      answer: {},
      bound: [
        ...each("name", "", text(256)),
        ["settings.user_api_key_rotation_period", 366],
        ["settings.session_settings", { max_session_ttl: 899 }, { param: "settings.session_settings.max_session_ttl" }],
      ],
      type: [
        ["name", 5],
        ["settings", "none"],
        [
          "settings.security_settings",
          { membersWritePrompts: "yes" },
          { param: "settings.security_settings.membersWritePrompts" },
        ],
        ["workspace_overrides", { logs: "yes" }, { param: "workspace_overrides.logs" }],
      ],
    },
    "GET /admin/organisation/defaults": {
      scope: "organisation_settings.read",
      answer: { input_guardrails: [], output_guardrails: [] },
    },
    "PUT /admin/organisation/defaults": {
      scope: "organisation_settings.update",
      body: { output_guardrails: [] },
      answer: {},
      also: [{ body: { input_guardrails: [] } }],
      type: each("input_guardrails", "all").concat(
        each("output_guardrails", [5]).map(([place, value]) => [place, value, { param: `${place}[0]` }]),
      ),
      unknown: [
        ["input_guardrails", ["pg-nobody-000000"], { status: 400, code: "AB01", param: "input_guardrails[0]" }],
        ["output_guardrails", ["$guardrail"], { status: 400, code: "AB01", param: "output_guardrails[0]" }],
      ],
    },
    ...exclusions("input"),
    ...exclusions("output"),
  },
};

/** control-plane.md section 19. */
export const scim: Family = {
  things: {
    mapping: {
      make: "POST /scim/workspaces",
      body: { workspace_id: "$workspace", role: "member", scim_group_name: "Engineers $n" },
    },
  },
  operations: {
    "GET /scim/workspaces": {
      scope: "organisation_settings.read",
      answer: { total_count: aNumber },
      shows: "$mapping",
      also: [{ query: { workspace_id: "$workspace" } }, { query: { role: "MEMBER" } }],
      bound: [["?role", "owner"]],
      unknown: [["?workspace_id", "ws-nobody"]],
      paged: "page page_size",
    },
    "POST /scim/workspaces": {
      scope: "organisation_settings.update",
      body: { workspace_id: "$workspace", role: "member", scim_group_id: "$mapping.scim_group_id" },
      answer: { id: anId, workspace_id: "$workspace", role: "member" },
      also: [
        {
          body: { workspace_id: "$workspace", role: "Manager", scim_group_name: "Managers $n" },
          answer: { role: "manager" },
        },
      ],
      missing: ["workspace_id", "role", "scim_group_id"],
      bound: [
        ["role", "owner"],
        ["scim_group_name", "Both", { param: "scim_group_id" }],
        ["scim_group_name", text(256)],
      ],
      type: [
        ["workspace_id", 5],
        ["role", 5],
      ],
      unknown: [["scim_group_id", "99999999-9999-4999-8999-999999999999"]],
    },
    "DELETE /scim/workspaces/{scimWorkspaceGroupId}": {
      scope: "organisation_settings.update",
      at: { scimWorkspaceGroupId: "$mapping" },
      answer: { success: true },
    },
    "GET /scim/groups": {
      scope: "organisation_settings.read",
      answer: { total_count: aNumber },
      shows: "$mapping.scim_group_id",
      paged: "page page_size",
    },
  },
};

const period = { start_time: "2026-01-01T00:00:00Z", end_time: "2100-01-01T00:00:00Z" };

/** control-plane.md section 16. */
export const auditLogs: Family = {
  things: {},
  operations: {
    "GET /audit-logs": {
      scope: "audit_logs.list",
      query: { ...period, organisation_id: "$organisation" },
      answer: { total: aNumber, object: "analytics-graph" },
      also: [{ query: { ...period, workspace_id: "$workspace", method: "POST" } }],
      missing: ["?start_time", "?end_time"],
      bound: [
        ["?method", "GET"],
        ["?user_type", "robot"],
        ["?end_time", "2025-01-01T00:00:00Z"],
      ],
      type: [
        ["?start_time", "yesterday"],
        ["?response_status_code", "ok"],
      ],
      paged: "zero",
    },
  },
};
