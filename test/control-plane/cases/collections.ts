import { aNumber, each, type Family, slugOf, text } from "./table.ts";

const names = each("name", "", text(256));

/** control-plane.md section 11.1. */
export const collections: Family = {
  things: {
    collection: { make: "POST /collections", body: { name: "Letters", workspace_id: "$workspace" } },
  },
  operations: {
    "POST /collections": {
      scope: "prompts.create",
      body: { name: "Support", workspace_id: "$workspace", parent_collection_id: "$collection" },
      answer: { slug: slugOf("col-support") },
      missing: ["name", "workspace_id"],
      bound: [...names, ["parent_collection_id", ""]],
      type: each("name", 5, null).concat([["parent_collection_id", 5]], [["workspace_id", 5]]),
    },
    "GET /collections": {
      scope: "prompts.list",
      query: { workspace_id: "$workspace" },
      answer: { total: aNumber },
      shows: "$collection",
      missing: ["?workspace_id"],
      paged: "current_page page_size",
    },
    "GET /collections/{collectionId}": {
      scope: "prompts.read",
      at: { collectionId: "$collection" },
      answer: { id: "$collection", name: "Letters", workspace_id: "$workspace.uuid", child_collections: [] },
      also: [{ at: { collectionId: "$collection.slug" } }],
    },
    "PUT /collections/{collectionId}": {
      scope: "prompts.update",
      at: { collectionId: "$collection" },
      body: { name: "Post" },
      answer: {},
      missing: ["name"],
      bound: names,
      type: [["name", ["Post"]]],
    },
    "DELETE /collections/{collectionId}": {
      scope: "prompts.delete",
      at: { collectionId: "$collection" },
      answer: {},
    },
  },
};
