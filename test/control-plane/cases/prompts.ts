import { aNumber, anId, type Cases, type Change, each, type Family, slugOf, text } from "./table.ts";

const string = JSON.stringify([{ role: "user", content: "Hello {{name}}" }]);
const prompt = {
  name: "Refund letter writer",
  collection_id: "$collection",
  string,
  parameters: { temperature: 0.2 },
  model: "m",
  virtual_key: "simulator",
};

const bound: Change[] = [
  ...each("name", "", text(256)),
  ...each("version_description", text(1025)),
  ["collection_id", ""],
  ["virtual_key", ""],
];
const type: Change[] = [
  ["name", 5],
  ["string", 5],
  ["parameters", "none"],
  ["tools", "all"],
  ["model", 5],
];

const sharing = { visibility: "workspaces", workspace_ids: ["$workspace"] };

/** Sharing is the same for prompts and partials: sections 12.1 and 12.7. */
export const shared = (path: string, at: Readonly<Record<string, string>>): Family["operations"] => {
  const share: Cases = {
    scope: "prompts.update",
    at,
    body: sharing,
    answer: {},
    also: [{ body: { visibility: "organisation" } }],
    missing: ["visibility", "workspace_ids"],
    bound: each("visibility", "everybody"),
    type: [
      ["visibility", 5],
      ["workspace_ids", "all"],
      ["include_partials", "yes"],
    ],
    // Whom a credential of a workspace shares with are other workspaces.
    otherWorkspaces: ["workspace_ids[0]"],
  };
  return {
    [`POST ${path}/share`]: share,
    [`PUT ${path}/share`]: share,
    [`DELETE ${path}/share`]: { scope: "prompts.update", at, answer: {} },
    [`POST ${path}/fork`]: {
      scope: "prompts.create",
      at,
      body: { workspace_id: "$workspace", collection_id: "$collection" },
      answer: { id: anId, version_id: anId },
      missing: ["workspace_id"],
      bound: each("collection_id", ""),
      type: [
        ["workspace_id", 5],
        ["collection_id", 5],
      ],
    },
  };
};

/** One call of a prompt. */
const used: Pick<Cases, "at" | "body" | "type"> = {
  at: { promptId: "$prompt" },
  body: { variables: { name: "Ana" } },
  type: each("variables", "Ana", ["Ana"]),
};

/** control-plane.md section 12, prompts.md. */
export const prompts: Family = {
  things: {
    prompt: { make: "POST /prompts", body: prompt },
    /** One with a second version. */
    revised: {
      async make({ call, filled }) {
        const made = await call("POST", "/prompts", await filled(prompt));
        await call("PUT", `/prompts/${made.id}`, { patch: true, model: "n" });
        return made;
      },
    },
  },
  operations: {
    "GET /prompts": {
      scope: "prompts.list",
      query: { workspace_id: "$workspace", collection_id: "$collection" },
      answer: { total: aNumber },
      also: [{ query: { workspace_id: "$workspace", search: "letter" }, shows: "$prompt" }],
      bound: [
        ["?type", "borrowed"],
        ["?show_prompt_share", "perhaps"],
      ],
      paged: "current_page page_size",
    },
    "POST /prompts": {
      scope: "prompts.create",
      body: prompt,
      answer: { id: anId, slug: slugOf("pp-refund-let"), version_id: anId, object: "prompt" },
      missing: ["name", "collection_id", "string", "parameters", "virtual_key"],
      bound: [...bound, ["is_raw_template", 2]],
      type: [...type, ["template_metadata", "chat"], ["collection_id", 5]],
      unknown: [["virtual_key", "nobody"]],
    },
    "GET /prompts/{promptId}": {
      scope: "prompts.read",
      at: { promptId: "$prompt" },
      answer: { id: "$prompt", name: prompt.name, string, prompt_version: 1, prompt_version_id: "$prompt.version_id" },
      also: [{ at: { promptId: "$prompt.slug" } }],
    },
    "PUT /prompts/{promptId}": {
      scope: "prompts.update",
      at: { promptId: "$prompt" },
      body: { name: "Letters", collection_id: "$collection", string, parameters: {}, model: "n" },
      answer: { id: "$prompt", slug: "$prompt.slug", prompt_version_id: anId },
      also: [{ body: { patch: true, model: "n" } }, { body: { virtual_key: "simulator" } }],
      bound: [...bound, ["is_raw_template", 2]],
      type: [...type, ["patch", "yes"]],
      unknown: [["virtual_key", "nobody"]],
    },
    "DELETE /prompts/{promptId}": {
      scope: "prompts.delete",
      at: { promptId: "$prompt" },
      answer: {},
    },
    "GET /prompts/{promptId}/versions": {
      scope: "prompts.read",
      at: { promptId: "$prompt" },
      answer: [{ id: "$prompt.version_id", prompt_id: "$prompt", prompt_version: 1, status: "active" }],
    },
    "GET /prompts/{promptId}/versions/{versionId}": {
      scope: "prompts.read",
      at: { promptId: "$prompt", versionId: "$prompt.version_id" },
      answer: { prompt_id: "$prompt", prompt_version: 1, prompt_template: { string } },
    },
    "PUT /prompts/{promptId}/versions/{versionId}": {
      scope: "prompts.update",
      at: { promptId: "$prompt", versionId: "$prompt.version_id" },
      body: { label_id: "$label" },
      answer: {},
      also: [{ body: { label_id: null } }],
      missing: ["label_id"],
      type: [
        ["label_id", 5],
        ["label_id", "canary"],
        ["string", "new", { param: "string" }],
      ],
    },
    "PUT /prompts/{promptId}/makeDefault": {
      scope: "prompts.publish",
      at: { promptId: "$revised" },
      body: { version: 2 },
      answer: {},
      missing: ["version"],
      bound: each("version", 0, 1.5),
      type: each("version", "2"),
      unknown: [["version", 9, { code: "AB08", param: null }]],
    },
    "POST /prompts/{promptId}/completions": {
      ...used,
      scope: "completions.write",
      answer: { object: "chat.completion", choices: [{ index: 0 }] },
    },
    "POST /prompts/{promptId}/render": {
      ...used,
      scope: "prompts.render",
      answer: { success: true, data: { model: "m", messages: [{ role: "user", content: "Hello Ana" }] } },
    },
    ...shared("/prompts/{promptId}", { promptId: "$prompt" }),
  },
};
