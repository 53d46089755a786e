import { aNumber, anId, aText, each, type Family, text } from "./table.ts";

const invitation = {
  email: "person-$n@example.org",
  role: "member",
  workspaces: [{ id: "$workspace", role: "manager" }],
};
const limits = {
  usage_limits: [{ type: "cost", credit_limit: 500 }],
  rate_limits: [{ type: "requests", unit: "rpm", value: 9 }],
};

const workspaceBound = [
  ...each("name", "", text(256)),
  ...each("description", text(1025)),
  ...each("icon", text(17), "", "ab", "7", "🚀🚀"),
  ["usage_limits[0].credit_limit", 0],
  ["defaults", { metadata: { team: text(129) } }, { param: "defaults.metadata.team" }],
] as const;
const workspaceTypes = [
  ["name", 5],
  ["description", 5],
  ["rate_limits", "many"],
] as const;

/** control-plane.md sections 3 and 4. */
export const organisations: Family = {
  things: {
    newWorkspace: { make: "POST /admin/workspaces", body: { name: "Space $n" } },
    invite: { make: "POST /admin/users/invites", body: invitation },
    /** One whose link was opened. */
    opened: {
      async make({ call, filled }) {
        const made = await call("POST", "/admin/users/invites", await filled(invitation));
        return { ...made, token: String(made.invite_link).split("/invites/")[1] };
      },
    },
    /** Somebody of the organisation who is in the workspace, too. */
    member: {
      make: async ({ call, filled }) => {
        const { id, token } = await filled({ id: "$opened", token: "$opened.token" });
        return call("POST", `/admin/users/invites/${id}/accept`, { token });
      },
      ref: "user_id",
    },
    /** Somebody who is in no workspace. */
    user: {
      async make({ call, filled }) {
        const sent = await filled({ ...invitation, workspaces: [] });
        const { id, invite_link } = await call("POST", "/admin/users/invites", sent);
        const [, token] = String(invite_link).split("/invites/");
        return { ...(await call("POST", `/admin/users/invites/${id}/accept`, { token })), email: sent.email };
      },
      ref: "user_id",
      everywhere: true,
    },
  },
  operations: {
    "POST /admin/workspaces": {
      scope: "workspaces.create",
      body: { name: "Team $n", description: "Claims", users: ["$user"], defaults: { metadata: { a: "b" } }, ...limits },
      answer: { slug: aText, uuid: anId, name: aText, is_default: 0, object: "workspace", status: "active" },
      missing: ["name"],
      bound: workspaceBound,
      type: [...workspaceTypes, ["users", "me"]],
      unknown: [["defaults", { input_guardrails: ["pg-nobody-000000"] }, { param: "defaults.input_guardrails[0]" }]],
      twice: { param: "name" },
    },
    "GET /admin/workspaces": {
      scope: "workspaces.list",
      answer: { object: "list", total: aNumber },
      shows: "$workspace",
      also: [{ query: { workspace_id: "$workspace" }, answer: { total: 1 } }],
      bound: [["?status", "gone", { param: "status[0]" }]],
      unknown: [["?workspace_id", "nowhere"]],
      paged: "current_page page_size",
    },
    "GET /admin/workspaces/{workspaceId}": {
      scope: "workspaces.read",
      at: { workspaceId: "$workspace" },
      answer: { id: "$workspace", uuid: "$workspace.uuid", object: "workspace" },
      also: [{ at: { workspaceId: "$workspace.uuid" } }],
      bound: each("?name_format", "short"),
    },
    "PUT /admin/workspaces/{workspaceId}": {
      scope: "workspaces.update",
      at: { workspaceId: "$workspace" },
      body: { description: "Claims", defaults: { input_guardrails: ["$guardrail"] } },
      answer: {},
      bound: [...workspaceBound, ["user_api_key_rotation_period", 366], ["reset_usage", -1]],
      type: [...workspaceTypes, ["reset_usage", "yes"]],
      conflict: [["name", "Other"]],
    },
    "DELETE /admin/workspaces/{workspaceId}": {
      scope: "workspaces.delete",
      at: { workspaceId: "$newWorkspace" },
      answer: {},
    },
    "POST /admin/workspaces/{workspaceId}/users": {
      scope: "workspace_users.create",
      at: { workspaceId: "$workspace" },
      body: { users: [{ id: "$user", role: "manager" }] },
      answer: {},
      missing: ["users", "users[0].id", "users[0].role"],
      bound: [
        ["users", []],
        ["users", Array.from({ length: 101 }, () => ({ id: "u", role: "member" }))],
        ["users[0].role", "owner"],
      ],
      type: [
        ["users", "me"],
        ["users[0].id", 5],
      ],
    },
    "GET /admin/workspaces/{workspaceId}/users": {
      scope: "workspace_users.list",
      at: { workspaceId: "$workspace" },
      answer: { object: "list", total: aNumber },
      shows: "$member",
      bound: each("?role", "owner"),
      paged: "current_page page_size",
    },
    "GET /admin/workspaces/{workspaceId}/users/{userId}": {
      scope: "workspace_users.read",
      at: { workspaceId: "$workspace", userId: "$member" },
      answer: { id: "$member", role: "manager", org_role: "member", workspace_id: "$workspace.uuid" },
    },
    "PUT /admin/workspaces/{workspaceId}/users/{userId}": {
      scope: "workspace_users.update",
      at: { workspaceId: "$workspace", userId: "$member" },
      body: { role: "member" },
      answer: {},
      missing: ["role"],
      bound: each("role", "owner"),
      type: each("role", 5),
    },
    "DELETE /admin/workspaces/{workspaceId}/users/{userId}": {
      scope: "workspace_users.delete",
      at: { workspaceId: "$workspace", userId: "$member" },
      answer: {},
    },
    "GET /admin/users": {
      scope: "organisation_users.list",
      answer: { object: "list", total: aNumber },
      shows: "$user",
      bound: each("?role", "manager"),
      paged: "currentPage pageSize",
    },
    "GET /admin/users/{userId}": {
      scope: "organisation_users.read",
      at: { userId: "$user" },
      answer: { id: "$user", role: "member", workspace_ids: [], object: "user" },
    },
    "PUT /admin/users/{userId}": {
      scope: "organisation_users.update",
      at: { userId: "$user" },
      body: { role: "admin" },
      answer: {},
      missing: ["role"],
      bound: each("role", "owner", "manager"),
      type: each("role", 5),
    },
    "DELETE /admin/users/{userId}": {
      scope: "organisation_users.delete",
      at: { userId: "$user" },
      answer: {},
    },
    "GET /admin/users/invites": {
      scope: "organisation_users.list",
      answer: { object: "list", total: aNumber },
      shows: "$invite",
      bound: [
        ["?status", "lost"],
        ["?role", "manager"],
      ],
      paged: "currentPage pageSize",
    },
    "POST /admin/users/invites": {
      scope: "organisation_users.create",
      body: { ...invitation, workspace_api_key_details: { scopes: ["completions.write"] } },
      answer: { id: anId, invite_link: aText },
      missing: ["email", "role", "workspaces", "workspaces[0].id", "workspace_api_key_details.scopes"],
      bound: [
        ["role", "owner"],
        ["workspaces[0].role", "owner"],
        ["workspace_api_key_details.scopes", []],
      ],
      type: [
        ["email", "nobody"],
        ["email", 5],
        ["workspaces", "all"],
      ],
      conflict: [["email", "$user.email"]],
      twice: { param: "email" },
    },
    "GET /admin/users/invites/{inviteId}": {
      scope: "organisation_users.read",
      at: { inviteId: "$invite" },
      answer: { id: "$invite", status: "pending", accepted_at: null, object: "invite" },
    },
    "DELETE /admin/users/invites/{inviteId}": {
      scope: "organisation_users.delete",
      at: { inviteId: "$invite" },
      answer: {},
    },
    "POST /admin/users/invites/{inviteId}/resend": {
      scope: "organisation_users.update",
      at: { inviteId: "$invite" },
      answer: { inviteLink: aText },
    },
    "POST /admin/users/invites/{inviteId}/accept": {
      at: { inviteId: "$opened" },
      body: { token: "$opened.token", first_name: "Iris" },
      answer: { user_id: anId, api_keys: [] },
      missing: ["token"],
      bound: [...each("first_name", "", text(256)), ...each("last_name", "", text(256))],
      type: each("token", 5),
    },
  },
};
