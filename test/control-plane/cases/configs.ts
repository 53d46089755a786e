import { aNumber, anId, each, type Family, slugOf, text } from "./table.ts";

const config = { strategy: { mode: "single" }, targets: [{ provider: "simulator" }] };
const bound = [...each("name", "", text(256)), ...each("isDefault", 2)];
const type = [
  ["name", 5],
  ["config", 7],
  ["isDefault", "yes"],
] as const;

/** control-plane.md section 6. */
export const configs: Family = {
  things: {
    config: {
      make: "POST /configs",
      body: { name: "Night batch", workspace_id: "$workspace", config },
      ref: "data.id",
      unseen: 403,
    },
  },
  operations: {
    "GET /configs": {
      scope: "configs.list",
      query: { workspace_id: "$workspace" },
      answer: { success: true },
      shows: "$config",
      paged: "current_page page_size",
    },
    "POST /configs": {
      scope: "configs.create",
      body: { name: "Night batch", workspace_id: "$workspace", config, isDefault: 0 },
      answer: { success: true, data: { id: anId, version_id: anId, slug: slugOf("pc-night") } },
      missing: ["name", "config", "workspace_id"],
      bound,
      type,
    },
    "GET /configs/{slug}": {
      scope: "configs.read",
      at: { slug: "$config" },
      answer: { success: true, data: { config, name: "Night batch", slug: "$config.data.slug", status: "active" } },
      also: [{ at: { slug: "$config.data.slug" } }],
    },
    "PUT /configs/{slug}": {
      scope: "configs.update",
      at: { slug: "$config" },
      body: { name: "Day batch", config: { provider: "simulator" } },
      answer: { success: true, data: { version_id: anId } },
      bound: [...bound, ["status", "deleted"]],
      type,
    },
    "DELETE /configs/{slug}": {
      scope: "configs.delete",
      at: { slug: "$config" },
      answer: {},
    },
    "GET /configs/{slug}/versions": {
      scope: "configs.read",
      at: { slug: "$config" },
      answer: { object: "list", total: aNumber, data: [{ version_id: "$config.data.version_id", format: "json" }] },
    },
  },
};
