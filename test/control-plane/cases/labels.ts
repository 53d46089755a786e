import { aNumber, anId, each, type Family, text } from "./table.ts";

const bound = [
  ...each("name", "", text(65), "latest", "12", "a b", "a@b"),
  ...each("color_code", text(33)),
  ...each("description", text(1025)),
];

/** control-plane.md section 11.2. */
export const labels: Family = {
  things: {
    label: { make: "POST /labels", body: { name: "label-$n", workspace_id: "$workspace" } },
  },
  operations: {
    "POST /labels": {
      scope: "prompts.create",
      body: { name: "canary-$n", description: "5 percent", color_code: "#2f7d4f", workspace_id: "$workspace" },
      answer: { id: anId },
      missing: ["name", "workspace_id"],
      bound,
      type: [
        ["name", 5],
        ["color_code", 5],
        ["workspace_id", 5],
        ["organisation_id", 5],
      ],
      conflict: [["name", "production"]],
      twice: { param: "name" },
    },
    "GET /labels": {
      scope: "prompts.list",
      query: { workspace_id: "$workspace" },
      answer: { total: aNumber },
      shows: "$label",
      paged: "current_page page_size",
    },
    "GET /labels/{labelId}": {
      scope: "prompts.read",
      at: { labelId: "$label" },
      answer: { id: "$label", workspace_id: "$workspace.uuid", is_universal: false, status: "active" },
    },
    "PUT /labels/{labelId}": {
      scope: "prompts.update",
      at: { labelId: "$label" },
      body: { description: "10 percent" },
      answer: {},
      bound,
      type: [
        ["description", 5],
        ["workspace_id", []],
        ["organisation_id", {}],
      ],
      conflict: [
        ["name", "production"],
        ["name", "staging"],
      ],
    },
    "DELETE /labels/{labelId}": {
      scope: "prompts.delete",
      at: { labelId: "$label" },
      answer: {},
    },
  },
};
