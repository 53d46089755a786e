import { aNumber, anId, each, type Family, slugOf, text } from "./table.ts";

const auth_config = {
  vault_auth_type: "approle",
  vault_addr: "https://vault.example.net",
  vault_role_id: "r-1",
  vault_secret_id: "s-1",
};
const valid = { name: "prod openai key", manager_type: "hashicorp_vault", auth_config, secret_path: "kv/data/openai" };

const bound = [
  ...each("name", "", text(256)),
  ...each("description", text(1025)),
  ...each("secret_path", "", text(1025)),
  ...each("secret_key", text(256)),
  ...each("allowed_workspaces", []),
  ["tags", { env: text(257) }, { param: "tags.env" }],
] as const;
const type = [
  ["name", 5],
  ["auth_config", "vault"],
  ["secret_path", 5],
  ["allow_all_workspaces", "yes"],
  ["tags", ["env"]],
] as const;

/** control-plane.md section 17. */
export const secretReferences: Family = {
  things: {
    secret: { make: "POST /secret-references", body: valid },
  },
  operations: {
    "GET /secret-references": {
      scope: "secret_references.list",
      answer: { object: "list", total: aNumber },
      shows: "$secret",
      bound: [
        ["?manager_type", "paper"],
        ["?search", ""],
        ["?search", text(256)],
      ],
      paged: "current_page page_size",
    },
    "POST /secret-references": {
      scope: "secret_references.create",
      body: { ...valid, allowed_workspaces: ["$workspace"] },
      answer: { id: anId, slug: slugOf("prod-openai-key"), object: "secret-reference" },
      missing: ["name", "manager_type", "auth_config", "secret_path", "auth_config.vault_addr"],
      bound: [...bound, ["manager_type", "paper"], ...each("slug", "a b", text(256))],
      type: [...type, ["manager_type", 5]],
      conflict: [["slug", "$secret.slug", { status: 400, code: "AB01" }]],
    },
    "GET /secret-references/{secretReferenceId}": {
      scope: "secret_references.read",
      at: { secretReferenceId: "$secret" },
      answer: { id: "$secret", secret_path: "kv/data/openai", auth_config: { vault_role_id: "r-1" } },
      also: [{ at: { secretReferenceId: "$secret.slug" } }],
    },
    "PUT /secret-references/{secretReferenceId}": {
      scope: "secret_references.update",
      at: { secretReferenceId: "$secret" },
      body: { name: "openai key", allowed_workspaces: ["$workspace"] },
      answer: {},
      empty: { param: null },
      bound,
      type,
    },
    "DELETE /secret-references/{secretReferenceId}": {
      scope: "secret_references.delete",
      at: { secretReferenceId: "$secret" },
      answer: {},
    },
  },
};
