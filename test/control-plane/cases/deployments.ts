import { aNumber, anId, aText, each, type Family, slugOf, text } from "./table.ts";

const bound = [
  ...each("name", "", text(256)),
  ...each("type", "spare"),
  ...each("url", "nowhere"),
  ...each("workspaces", []),
];
const type = [
  ["name", 5],
  ["type", 5],
  ["config", "free"],
  ["allow_all_workspaces", "yes"],
  ["is_default", 1],
] as const;

/** control-plane.md section 20. */
export const deployments: Family = {
  things: {
    deployment: { make: "POST /deployments", body: { name: "EU production", type: "production" } },
  },
  operations: {
    "GET /deployments": {
      scope: "deployments.list",
      answer: { object: "list", total: aNumber },
      shows: "$deployment",
      also: [{ query: { type: "production", workspace_id: "$workspace" } }],
      unknown: [["?workspace_id", "ws-nobody"]],
      bound: each("?type", "spare"),
      paged: "current_page page_size",
    },
    "POST /deployments": {
      scope: "deployments.create",
      body: { name: "EU production", type: "production", url: "https://llm.example.eu", workspaces: ["$workspace"] },
      answer: { id: anId, slug: slugOf("eu-production"), client_auth: aText },
      missing: ["name", "type"],
      bound: [...bound, ...each("slug", "a b", text(256))],
      type: [...type, ["slug", 5]],
      conflict: [["slug", "$deployment.slug"]],
    },
    "GET /deployments/{deploymentId}": {
      scope: "deployments.read",
      at: { deploymentId: "$deployment" },
      answer: { id: "$deployment", name: "EU production", status: "active", object: "deployment" },
      also: [{ at: { deploymentId: "$deployment.slug" } }],
    },
    "PUT /deployments/{deploymentId}": {
      scope: "deployments.update",
      at: { deploymentId: "$deployment" },
      body: { name: "EU", workspaces: ["$workspace"] },
      answer: {},
      bound,
      type,
    },
    "DELETE /deployments/{deploymentId}": {
      scope: "deployments.delete",
      at: { deploymentId: "$deployment" },
      answer: {},
    },
  },
};

/** control-plane.md section 24. */
export const plugins: Family = {
  things: {
    credentials: { make: "POST /plugins", body: { plugin_id: "partner-$n", credentials: { apiKey: "s-1234567" } } },
  },
  operations: {
    "GET /plugins": {
      scope: "plugins.list",
      answer: { object: "list", total: aNumber },
      shows: "$credentials",
    },
    "POST /plugins": {
      scope: "plugins.create",
      body: { plugin_id: "partner-$n", credentials: { apiKey: "s-1234567" }, workspace_id: "$workspace" },
      answer: { id: anId },
      also: [{ body: { plugin_id: "partner-$n", credentials: { apiKey: "s-1234567" } } }],
      missing: ["plugin_id", "credentials"],
      bound: [...each("plugin_id", "", text(256)), ["credentials.apiKey", text(16_385)]],
      type: [
        ["plugin_id", 5],
        ["credentials", "s-1"],
        ["credentials.apiKey", 5],
      ],
      twice: { param: "plugin_id" },
    },
    "PUT /plugins/{id}": {
      scope: "plugins.update",
      at: { id: "$credentials" },
      body: { credentials: { apiKey: "s-2345678" } },
      answer: { id: "$credentials" },
      missing: ["credentials"],
      bound: [["credentials.apiKey", text(16_385)]],
      type: each("credentials", "s-1", []),
    },
  },
};
