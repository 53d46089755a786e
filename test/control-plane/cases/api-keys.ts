import { aNumber, anId, aText, type Change, each, type Family, text } from "./table.ts";

const scopes = ["completions.write"];
const valid = { name: "claims-backend", scopes };
const families = ["organisation_service_api_keys", "workspace_service_api_keys", "workspace_user_api_keys"];

const bound: Change[] = [
  ...each("name", "", text(256)),
  ...each("description", text(1025)),
  ["scopes", []],
  ["scopes", ["nobody.knows"], { param: "scopes[0]" }],
  ["rate_limits", [{ type: "requests", unit: "rpm", value: -1 }], { param: "rate_limits[0].value" }],
  ["usage_limits.credit_limit", 0],
  ["defaults", { metadata: { team: text(129) } }, { param: "defaults.metadata.team" }],
  ["alert_emails", Array.from({ length: 51 }, () => "a@example.org")],
  ["expires_at", "2020-01-01T00:00:00Z"],
  [
    "rotation_policy",
    { rotation_period: "weekly", key_transition_period_ms: 1000 },
    { param: "rotation_policy.key_transition_period_ms" },
  ],
];
const type: Change[] = [
  ["name", 5],
  ["scopes", "completions.write"],
  ["rate_limits", 5],
  ["alert_emails", ["nobody"], { param: "alert_emails[0]" }],
  ["expires_at", "soon"],
];

/** The same of a key of the organisation, and of one of a person. */
const others = (verb: string, parameter: string) => [
  { scope: `organisation_service_api_keys.${verb}`, at: { [parameter]: "$organisationKey" } },
  { scope: `workspace_user_api_keys.${verb}`, at: { [parameter]: "$userKey" } },
];

/** control-plane.md section 5. */
export const apiKeys: Family = {
  things: {
    key: {
      make: "POST /api-keys/workspace/service",
      body: { ...valid, workspace_id: "$workspace" },
      unseen: 403,
    },
    userKey: {
      make: "POST /api-keys/workspace/user",
      body: { ...valid, workspace_id: "$workspace", user_id: "$member" },
      unseen: 403,
    },
    organisationKey: {
      make: "POST /api-keys/organisation/service",
      body: { name: "admin", scopes: ["workspaces.list"] },
      unseen: 403,
    },
  },
  operations: {
    "POST /api-keys/{type}/{sub-type}": {
      scope: "workspace_user_api_keys.create",
      holding: scopes,
      at: { type: "workspace", "sub-type": "user" },
      body: { ...valid, workspace_id: "$workspace", user_id: "$member" },
      answer: { id: anId, key: aText, object: "api-key" },
      also: [
        {
          scope: "workspace_service_api_keys.create",
          at: { type: "workspace", "sub-type": "service" },
          body: { ...valid, workspace_id: "$workspace", defaults: { config_id: "$config" } },
        },
        {
          scope: "organisation_service_api_keys.create",
          at: { type: "organisation", "sub-type": "service" },
          body: { name: "admin", scopes: ["workspaces.list"] },
        },
      ],
      missing: ["name", "scopes", "workspace_id", "user_id"],
      bound,
      type,
      unknown: [["defaults", { config_id: "pc-nobody-000000" }, { param: "defaults.config_id" }]],
    },
    "GET /api-keys": {
      scope: families.map((family) => `${family}.list`).join(" or "),
      by: "organisation",
      query: { workspace_id: "$workspace" },
      answer: { object: "list", total: aNumber },
      also: [
        { scope: "workspace_service_api_keys.list", by: undefined, shows: "$key" },
        { scope: "workspace_user_api_keys.list", by: undefined, shows: "$userKey" },
        { scope: "organisation_service_api_keys.list", query: {}, shows: "$organisationKey" },
      ],
      paged: "current_page page_size",
    },
    "GET /api-keys/{id}": {
      scope: "workspace_service_api_keys.read",
      at: { id: "$key" },
      answer: { name: aText, object: "api-key" },
      also: others("read", "id"),
    },
    "PUT /api-keys/{id}": {
      scope: "workspace_service_api_keys.update",
      holding: scopes,
      at: { id: "$key" },
      body: { name: "claims", description: "of the claims team" },
      answer: {},
      also: others("update", "id"),
      bound: [...bound, ["reset_usage", 2]],
      type,
      unknown: [["defaults", { config_id: "pc-nobody-000000" }, { param: "defaults.config_id" }]],
    },
    "DELETE /api-keys/{id}": {
      scope: "workspace_service_api_keys.delete",
      at: { id: "$key" },
      answer: {},
      also: others("delete", "id"),
    },
    "POST /api-keys/{id}/rotate": {
      scope: "workspace_service_api_keys.rotate",
      holding: scopes,
      at: { id: "$key" },
      body: { key_transition_period_ms: 1_800_000 },
      answer: { key: aText, key_transition_expires_at: aText },
      also: others("rotate", "id"),
      bound: each("key_transition_period_ms", 1_799_999),
      type: each("key_transition_period_ms", "long"),
      twice: { param: null },
    },
  },
};
