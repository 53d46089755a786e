import { aNumber, anId, type Change, each, type Family, slugOf, text } from "./table.ts";

const limited: Change[] = [
  ...each("name", "", text(256)),
  ...each("note", text(1025)),
  ["usage_limits.credit_limit", 0],
  ["usage_limits", { credit_limit: 5, alert_threshold: 5 }, { param: "usage_limits.alert_threshold" }],
  ["rate_limits", { type: "requests", unit: "rpm", value: -1 }, { param: "rate_limits.value" }],
  ["expires_at", "2020-01-01T00:00:00Z"],
];
const type: Change[] = [
  ["name", 5],
  ["note", 5],
  ["usage_limits", "none"],
  ["expires_at", "soon"],
];
const invalid = { status: 400, code: "AB01" };
const limits = {
  usage_limits: { type: "cost", credit_limit: 20, periodic_reset: "weekly" },
  rate_limits: { type: "requests", unit: "rpm", value: 30 },
};

/** control-plane.md section 8. */
export const providers: Family = {
  things: {
    provider: {
      make: "POST /providers",
      body: { name: "Staging", integration_id: "$workspaceIntegration", workspace_id: "$workspace" },
      unseen: 403,
    },
  },
  operations: {
    "GET /providers": {
      scope: "providers.list or virtual_keys.list",
      query: { workspace_id: "$workspace" },
      answer: { object: "list", total: aNumber },
      shows: "$provider",
      missing: ["?workspace_id"],
      type: each("?tags", "env"),
      paged: "current_page page_size",
    },
    "POST /providers": {
      scope: "providers.create or virtual_keys.create",
      body: {
        name: "Claims, staging",
        integration_id: "$workspaceIntegration",
        workspace_id: "$workspace",
        slug: "claims-$n",
        ...limits,
        tags: { env: "staging" },
      },
      answer: { id: anId },
      missing: ["name", "integration_id", "workspace_id"],
      bound: [
        ...limited,
        ...each("slug", "a b", text(256)),
        ["tags", { env: text(257) }, { param: "tags.env" }],
        ["integration_id", ""],
      ],
      type: [...type, ["integration_id", 5]],
      conflict: [["slug", "$provider.slug", invalid]],
    },
    "GET /providers/{slug}": {
      scope: "providers.read or virtual_keys.read",
      at: { slug: "$provider" },
      query: { workspace_id: "$workspace" },
      answer: { name: "Staging", slug: "$provider.slug", status: "active", object: "provider" },
      also: [{ at: { slug: "$provider.slug" } }],
      bound: each("?include_configurations", "perhaps"),
    },
    "PUT /providers/{slug}": {
      scope: "providers.update or virtual_keys.update",
      at: { slug: "$provider" },
      body: { name: "Staging 2", ...limits, reset_usage: true },
      answer: { id: "$provider", slug: "$provider.slug" },
      bound: [...limited, ["reset_usage", 2]],
      type: [...type, ["reset_usage", "yes"]],
    },
    "DELETE /providers/{slug}": {
      scope: "providers.delete or virtual_keys.delete",
      at: { slug: "$provider" },
      query: { workspace_id: "$workspace" },
      answer: {},
    },
  },
};

const key = { name: "Old account", provider: "openai", key: "sk-0123456789abcdef" };

/** control-plane.md section 9. */
export const virtualKeys: Family = {
  things: {
    virtualKey: {
      make: "POST /virtual-keys",
      body: { ...key, workspace_id: "$workspace" },
      ref: "data.slug",
      unseen: 403,
    },
  },
  operations: {
    "GET /virtual-keys": {
      scope: "virtual_keys.list or providers.list",
      query: { workspace_id: "$workspace" },
      answer: { object: "list", total: aNumber },
      shows: "$virtualKey",
      paged: "current_page page_size",
    },
    "POST /virtual-keys": {
      scope: "virtual_keys.create",
      body: { ...key, workspace_id: "$workspace", ...limits },
      answer: { success: true, data: { slug: slugOf("old-account") } },
      missing: ["name", "provider", "key", "workspace_id"],
      bound: [...limited, ["provider", "nobody"], ["key", ""]],
      type: [...type, ["key", 5], ["secret_mappings", "key"]],
      unknown: [
        [
          "secret_mappings",
          [{ target_field: "key", secret_reference_id: "nobody" }],
          { param: "secret_mappings[0].secret_reference_id" },
        ],
      ],
    },
    "GET /virtual-keys/{slug}": {
      scope: "virtual_keys.read",
      at: { slug: "$virtualKey" },
      query: { workspace_id: "$workspace" },
      answer: { name: "Old account", slug: "$virtualKey", status: "active", object: "virtual-key" },
    },
    "PUT /virtual-keys/{slug}": {
      scope: "virtual_keys.update",
      at: { slug: "$virtualKey" },
      body: { name: "Older account", note: "gone soon", workspace_id: "$workspace" },
      answer: {},
      bound: [...limited, ["key", ""], ["reset_usage", 2]],
      type: [...type, ["key", 5]],
    },
    "DELETE /virtual-keys/{slug}": {
      scope: "virtual_keys.delete",
      at: { slug: "$virtualKey" },
      query: { workspace_id: "$workspace" },
      answer: {},
    },
  },
};
