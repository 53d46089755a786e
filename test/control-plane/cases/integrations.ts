import { aNumber, anId, aText, type Change, each, type Family, slugOf, text, type Valid } from "./table.ts";

const integration = { name: "Production OpenAI", ai_provider_id: "openai", key: "sk-0123456789abcdef" };
const invalid = { status: 400, code: "AB01" };

const bound: Change[] = [
  ...each("name", "", text(256)),
  ...each("description", text(1025)),
  ["key", ""],
  ["pricing_adjustments", { multiplier: { default: -1 } }, { param: "pricing_adjustments.multiplier.default" }],
  ["tags", { env: text(257) }, { param: "tags.env" }],
  ["configurations", { custom_host: "ftp://nowhere" }, { param: "configurations.custom_host" }],
];
const type: Change[] = [
  ["name", 5],
  ["key", 5],
  ["configurations", "none"],
  ["tags", ["env"]],
  ["secret_mappings", "key"],
];
const unknown: Change[] = [
  [
    "secret_mappings",
    [{ target_field: "key", secret_reference_id: "nobody" }],
    { param: "secret_mappings[0].secret_reference_id" },
  ],
];

/** The same of an integration of a workspace, whose scopes are others (section 7.1). */
const ofWorkspace = (verb: string): Partial<Valid>[] => [
  { scope: `workspace_integrations.${verb}`, at: { slug: "$workspaceIntegration" } },
];
const at = { slug: "$integration" };
/** A credential of a workspace sees no integration of the organisation. */
const wrongKey = { status: 404, code: "AB08" };

/** control-plane.md section 7. */
export const integrations: Family = {
  things: {
    integration: { make: "POST /integrations", body: integration },
    workspaceIntegration: { make: "POST /integrations", body: { ...integration, workspace_id: "$workspace" } },
    /** One of the organisation that has a model of its own. */
    modelled: {
      async make({ call }) {
        const made = await call("POST", "/integrations", integration);
        const models = [{ slug: "mine", enabled: true, is_custom: true, base_model_slug: "gpt-4o" }];
        await call("PUT", `/integrations/${made.slug}/models`, { models });
        return made;
      },
    },
  },
  operations: {
    "GET /integrations": {
      scope: "organisation_integrations.list or workspace_integrations.list",
      by: "organisation",
      answer: { object: "list", total: aNumber },
      shows: "$integration",
      also: [
        {
          scope: "workspace_integrations.list",
          by: undefined,
          query: { workspace_id: "$workspace" },
          shows: "$workspaceIntegration",
        },
      ],
      bound: each("?type", "everybody"),
      type: each("?tags", "env"),
      unknown: [["?workspace_id", "ws-nobody"]],
      paged: "current_page page_size",
    },
    "POST /integrations": {
      scope: "workspace_integrations.create",
      body: {
        ...integration,
        slug: "integration-$n",
        workspace_id: "$workspace",
        default_provider_slug: "provider-$n",
      },
      answer: { id: anId, slug: aText },
      also: [
        { scope: "organisation_integrations.create", body: integration, answer: { slug: slugOf("production-open") } },
      ],
      missing: ["name", "ai_provider_id", "key"],
      bound: [
        ...bound,
        ["ai_provider_id", "nobody"],
        ...each("slug", "a b", text(256)),
        ["default_provider_slug", text(256)],
      ],
      type: [...type, ["create_default_provider", "yes"]],
      unknown,
      conflict: [
        ["slug", "$integration.slug"],
        ["default_provider_slug", "$provider.slug", invalid],
      ],
    },
    "GET /integrations/{slug}": {
      scope: "organisation_integrations.read",
      wrongKey,
      at,
      answer: { name: integration.name, status: "active", masked_key: "sk*******ef", object: aText },
      also: ofWorkspace("read"),
    },
    "PUT /integrations/{slug}": {
      scope: "organisation_integrations.update",
      wrongKey,
      at,
      body: { name: "OpenAI", description: "of the organisation", key: "sk-1123456789abcdef" },
      answer: {},
      also: ofWorkspace("update"),
      bound,
      type,
      unknown,
    },
    "DELETE /integrations/{slug}": {
      scope: "organisation_integrations.delete",
      wrongKey,
      at,
      answer: {},
      also: ofWorkspace("delete"),
    },
    "GET /integrations/{slug}/models": {
      scope: "organisation_integrations.read",
      wrongKey,
      at: { slug: "$modelled" },
      answer: { total: aNumber, allow_all_models: true },
      also: ofWorkspace("read"),
    },
    "PUT /integrations/{slug}/models": {
      scope: "organisation_integrations.update",
      wrongKey,
      at,
      body: { models: [{ slug: "gpt-4o", enabled: false }], allow_all_models: true },
      answer: {},
      also: ofWorkspace("update"),
      missing: ["models", "models[0].slug", "models[0].enabled"],
      bound: [
        ["models[0].slug", ""],
        ["models[0].configurations", {}],
        ["models[0].pricing_config", { type: "dynamic" }, { param: "models[0].pricing_config.type" }],
      ],
      type: [
        ["models", "all"],
        ["models[0].enabled", "yes"],
        ["allow_all_models", "yes"],
      ],
    },
    "DELETE /integrations/{slug}/models": {
      scope: "organisation_integrations.update",
      wrongKey,
      at: { slug: "$modelled" },
      query: { slugs: "mine" },
      answer: {},
      missing: ["?slugs"],
      unknown: [["?slugs", "gpt-4o", invalid]],
    },
    "GET /integrations/{slug}/workspaces": {
      scope: "organisation_integrations.read",
      wrongKey,
      at,
      answer: { total: aNumber, workspaces: [] },
    },
    "PUT /integrations/{slug}/workspaces": {
      scope: "organisation_integrations.update",
      wrongKey,
      at,
      body: { workspaces: [{ id: "$workspace", enabled: true }], override_existing_workspace_access: false },
      answer: {},
      missing: ["workspaces", "workspaces[0].id", "workspaces[0].enabled"],
      bound: [
        ["default_provider_slug", text(256)],
        ["workspaces[0].usage_limits[0].credit_limit", 0],
        [
          "workspaces[0].rate_limits[0]",
          { type: "requests", unit: "rpm", value: -1 },
          { param: "workspaces[0].rate_limits[0].value" },
        ],
        ["workspaces[0].rate_limits", ["rpm", "rph"].map((unit) => ({ type: "requests", unit, value: 1 }))],
      ],
      type: [
        ["workspaces", "all"],
        ["workspaces[0].enabled", "yes"],
        ["override_existing_workspace_access", "yes"],
      ],
      conflict: [["default_provider_slug", "$provider.slug", invalid]],
    },
  },
};
