import { aNumber, anId, each, type Family, slugOf, text } from "./table.ts";

const checks = [{ id: "default.regexMatch", parameters: { rule: "\\d{16}", not: true }, name: "pan" }];
const actions = { deny: true, async: false, on_success: {}, on_fail: {} };

const bound = [
  ...each("name", "", text(256)),
  ...each("checks", []),
  ["checks[0].id", "default.nothing"],
  ["actions.on_fail.feedback.value", 11],
  ["actions.on_fail.feedback", { value: -1, weight: 2 }, { param: "actions.on_fail.feedback.weight" }],
] as const;
const type = [
  ["name", 5],
  ["checks", "default.regexMatch"],
  ["checks[0].is_enabled", "yes"],
  ["actions.deny", "yes"],
] as const;

/** control-plane.md section 10. */
export const guardrails: Family = {
  things: {
    guardrail: {
      make: "POST /guardrails",
      body: { name: "No card numbers", workspace_id: "$workspace", checks, actions },
      unseen: 403,
    },
    organisationGuardrail: {
      make: "POST /guardrails",
      body: { name: "No card numbers", organisation_id: "$organisation", checks, actions },
      unseen: 403,
    },
  },
  operations: {
    "GET /guardrails": {
      scope: "guardrails.list or organisation_guardrails.list",
      query: { workspace_id: "$workspace" },
      answer: { total: aNumber },
      also: [
        { scope: "guardrails.list", shows: "$guardrail" },
        { scope: "organisation_guardrails.list", query: {}, shows: "$organisationGuardrail" },
      ],
      paged: "current_page page_size",
    },
    "POST /guardrails": {
      scope: "guardrails.create",
      body: { name: "No card numbers", workspace_id: "$workspace", checks, actions },
      answer: { id: anId, slug: slugOf("pg-no-car"), version_id: anId },
      also: [
        {
          scope: "organisation_guardrails.create",
          body: { name: "No card numbers", organisation_id: "$organisation", checks, actions },
        },
      ],
      missing: ["name", "checks", "actions", "workspace_id", "checks[0].id"],
      bound,
      type,
    },
    "GET /guardrails/{guardrailId}": {
      scope: "guardrails.read",
      at: { guardrailId: "$guardrail" },
      answer: { id: "$guardrail", name: "No card numbers", workspace_id: "$workspace.uuid", status: "active" },
      also: [
        { at: { guardrailId: "$guardrail.slug" } },
        {
          scope: "organisation_guardrails.read",
          at: { guardrailId: "$organisationGuardrail" },
          answer: { workspace_id: null },
        },
      ],
    },
    "PUT /guardrails/{guardrailId}": {
      scope: "guardrails.update",
      at: { guardrailId: "$guardrail" },
      body: { name: "No cards", checks, actions },
      answer: { id: "$guardrail", slug: "$guardrail.slug", version_id: anId },
      also: [
        {
          scope: "organisation_guardrails.update",
          at: { guardrailId: "$organisationGuardrail" },
          answer: { version_id: anId },
        },
      ],
      bound,
      type,
    },
    "DELETE /guardrails/{guardrailId}": {
      scope: "guardrails.delete",
      at: { guardrailId: "$guardrail" },
      answer: {},
      also: [{ scope: "organisation_guardrails.delete", at: { guardrailId: "$organisationGuardrail" } }],
    },
  },
};
