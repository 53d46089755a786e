import { shared } from "./prompts.ts";
import { anId, type Change, each, type Family, slugOf, text } from "./table.ts";

const partial = { name: "Tone rules", workspace_id: "$workspace", string: "Sign as {{signature}}." };
const names = each("name", "", text(256));
const type: Change[] = [
  ["name", 5],
  ["string", 5],
];

/** control-plane.md section 12.6. */
export const partials: Family = {
  things: {
    partial: { make: "POST /prompts/partials", body: partial },
    /** One with a second version. */
    revisedPartial: {
      async make({ call, filled }) {
        const made = await call("POST", "/prompts/partials", await filled(partial));
        await call("PUT", `/prompts/partials/${made.id}`, { string: "Sign." });
        return made;
      },
    },
  },
  operations: {
    "GET /prompts/partials": {
      scope: "prompts.list",
      query: { workspace_id: "$workspace" },
      answer: undefined,
      shows: "$partial",
    },
    "POST /prompts/partials": {
      scope: "prompts.create",
      body: { ...partial, collection_id: "$collection", version_description: "first" },
      answer: { id: anId, slug: slugOf("pl-tone-r"), version_id: anId },
      missing: ["name", "string", "workspace_id"],
      bound: [...names, ["version_description", text(1025)], ["collection_id", ""]],
      type: [...type, ["collection_id", 5]],
    },
    "GET /prompts/partials/{promptPartialId}": {
      scope: "prompts.read",
      at: { promptPartialId: "$partial" },
      answer: { id: "$partial", slug: "$partial.slug", string: partial.string, status: "active" },
      also: [{ at: { promptPartialId: "$partial.slug" } }],
    },
    "PUT /prompts/partials/{promptPartialId}": {
      scope: "prompts.update",
      at: { promptPartialId: "$partial" },
      body: { name: "Tone", string: "Sign.", description: "shorter" },
      answer: { prompt_partial_version_id: anId },
      bound: [...names, ["status", "deleted"], ["description", text(1025)]],
      type,
    },
    "DELETE /prompts/partials/{promptPartialId}": {
      scope: "prompts.delete",
      at: { promptPartialId: "$partial" },
      answer: {},
    },
    "GET /prompts/partials/{promptPartialId}/versions": {
      scope: "prompts.read",
      at: { promptPartialId: "$partial" },
      answer: [{ prompt_partial_id: "$partial", prompt_partial_version_id: "$partial.version_id", object: "partial" }],
    },
    "PUT /prompts/partials/{promptPartialId}/makeDefault": {
      scope: "prompts.publish",
      at: { promptPartialId: "$revisedPartial" },
      body: { version: 2 },
      answer: {},
      missing: ["version"],
      bound: each("version", 0),
      type: each("version", "2"),
      unknown: [["version", 9, { code: "AB08", param: null }]],
    },
    ...shared("/prompts/partials/{promptPartialId}", { promptPartialId: "$partial" }),
  },
};
