import { aNumber, anId, type Change, each, type Family, text } from "./table.ts";

const conditions = [{ key: "api_key", value: "*" }];
const group_by = [{ key: "api_key" }];
const budget = { conditions, group_by, type: "cost", credit_limit: 80, workspace_id: "$workspace" };
const rate = { conditions, group_by, type: "requests", unit: "rpm", value: 5, workspace_id: "$workspace" };

const shared: Change[] = [
  ["conditions", []],
  ["conditions", [{ key: "colour", value: "*" }], { param: "conditions[0].key" }],
  ["name", text(256)],
  ["description", text(501)],
  ["on_store_error", "wait"],
];
const newBudget: Change[] = [
  ...shared,
  ["credit_limit", -1],
  ["alert_threshold", -1],
  ["alert_threshold", 80],
  ["periodic_reset", "daily"],
  ["enforcement", "firm"],
  ...each("periodic_reset_days", 0, 366),
];
const grouped: Change[] = [
  ["group_by", []],
  ["group_by[0].key", "colour"],
  ["type", "euros"],
];
/** What a policy keeps for ever. */
const fixed: Change[] = [
  ["group_by", []],
  ["group_by", [{ key: "config" }]],
  ["type", "euros"],
];
const budgetTypes: Change[] = [
  ["credit_limit", "80"],
  ["conditions", "all"],
  ["name", 5],
  ["periodic_reset_days", "30"],
];
const newRate: Change[] = [...shared, ["unit", "rps"], ["value", -1], ["value", 1.5]];
const rateTypes: Change[] = [
  ["value", "5"],
  ["conditions", "all"],
  ["unit", 5],
];

/** control-plane.md section 13. */
export const policies: Family = {
  things: {
    budget: { make: "POST /policies/usage-limits", body: { ...budget, name: "Per key" } },
    rate: { make: "POST /policies/rate-limits", body: { ...rate, name: "Per key" } },
    entity: {
      async make({ call, filled }) {
        const { type } = budget;
        const entity = { id: await filled("entity-$n"), valueKey: "k", type, currentUsage: 3, status: "active" };
        await call("POST", "/test/count", { policy: await filled("$budget"), ...entity });
        return entity;
      },
    },
  },
  operations: {
    "POST /policies/usage-limits": {
      scope: "policies.create",
      body: budget,
      answer: { id: anId, object: "policy_usage_limits" },
      missing: ["conditions", "group_by", "type", "credit_limit", "workspace_id", "conditions[0].value"],
      bound: [...newBudget, ...grouped],
      type: budgetTypes,
    },
    "GET /policies/usage-limits": {
      scope: "policies.list",
      query: { workspace_id: "$workspace" },
      answer: { object: "list", total: aNumber },
      shows: "$budget",
      missing: ["?workspace_id"],
      bound: [
        ["?status", "gone"],
        ["?type", "euros"],
      ],
      paged: "zero",
    },
    "GET /policies/usage-limits/{policyUsageLimitsId}": {
      scope: "policies.read",
      at: { policyUsageLimitsId: "$budget" },
      answer: { id: "$budget", credit_limit: 80, workspace_id: "$workspace.uuid", object: "policy_usage_limits" },
      also: [{ query: { include_usage: "true" }, answer: { value_key_usage_map: {} } }],
      bound: [
        ["?status", "gone"],
        ["?include_usage", "perhaps"],
      ],
    },
    "PUT /policies/usage-limits/{policyUsageLimitsId}": {
      scope: "policies.update",
      at: { policyUsageLimitsId: "$budget" },
      body: { credit_limit: 80, name: "Less" },
      answer: {},
      bound: [...newBudget, ...fixed, ["reset_usage_for_value", ""]],
      type: budgetTypes,
    },
    "DELETE /policies/usage-limits/{policyUsageLimitsId}": {
      scope: "policies.delete",
      at: { policyUsageLimitsId: "$budget" },
      answer: {},
    },
    "GET /policies/usage-limits/{policyUsageLimitsId}/entities": {
      scope: "policies.read",
      at: { policyUsageLimitsId: "$budget" },
      answer: {
        object: "list",
        total: 1,
        data: [{ id: "$entity", value_key: "k", current_usage: 3, status: "active" }],
      },
      bound: [
        ["?status", "gone"],
        ["?page_size", "0"],
      ],
      paged: "current_page page_size",
    },
    "PUT /policies/usage-limits/{policyUsageLimitsId}/entities/{entityId}/reset": {
      scope: "policies.update",
      at: { policyUsageLimitsId: "$budget", entityId: "$entity" },
      answer: {},
    },
    "POST /policies/rate-limits": {
      scope: "policies.create",
      body: rate,
      answer: { id: anId, object: "policy_rate_limits" },
      missing: ["conditions", "group_by", "type", "unit", "value", "workspace_id"],
      bound: [...newRate, ...grouped, ["target", "agents"]],
      type: rateTypes,
    },
    "GET /policies/rate-limits": {
      scope: "policies.list",
      query: { workspace_id: "$workspace" },
      answer: { object: "list", total: aNumber },
      shows: "$rate",
      missing: ["?workspace_id"],
      bound: [
        ["?status", "gone"],
        ["?type", "euros"],
        ["?unit", "rps"],
      ],
      paged: "zero",
    },
    "GET /policies/rate-limits/{rateLimitsPolicyId}": {
      scope: "policies.read",
      at: { rateLimitsPolicyId: "$rate" },
      answer: { id: "$rate", value: 5, unit: "rpm", target: "llm", object: "policy_rate_limits" },
      bound: each("?status", "gone"),
    },
    "PUT /policies/rate-limits/{rateLimitsPolicyId}": {
      scope: "policies.update",
      at: { rateLimitsPolicyId: "$rate" },
      body: { value: 6, unit: "rph" },
      answer: {},
      bound: [...newRate, ...fixed, ["target", "agents"]],
      type: rateTypes,
    },
    "DELETE /policies/rate-limits/{rateLimitsPolicyId}": {
      scope: "policies.delete",
      at: { rateLimitsPolicyId: "$rate" },
      answer: {},
    },
  },
};
