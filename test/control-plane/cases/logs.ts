import { aNumber, anId, each, type Family, text } from "./table.ts";

const entry = {
  request: { url: "https://api.example/v1/chat/completions", provider: "openai", body: { model: "m", messages: [] } },
  response: { body: { choices: [], usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 } } },
};

/** control-plane.md sections 14.2 and 14.3, observability.md section 10. */
export const logs: Family = {
  things: {
    log: { make: "POST /logs", body: entry, by: "workspace", ref: "ids[0]" },
  },
  operations: {
    "POST /logs": {
      scope: "completions.write and logs.write",
      body: entry,
      answer: { status: "success", ids: [anId] },
      also: [{ body: [entry, entry], answer: { ids: [anId, anId] } }],
      missing: ["request", "response", "request.url", "request.body", "response.body"],
      bound: [
        ["", []],
        ["", Array.from({ length: 1001 }, () => entry)],
        ["request.url", ""],
        ["response.status", 99],
      ],
      type: [
        ["request.body", "m"],
        ["response.body", []],
        ["request.url", 5],
        ["response.status", "200"],
      ],
    },
    "GET /logs": {
      scope: "logs.list",
      query: {},
      answer: { object: "list", total: aNumber },
      shows: "$log",
      paged: "current_page page_size",
      bound: [
        ["?status_code", "abc", { param: "status_code[0]" }],
        ["?workspace_slug", ""],
        ["?workspace_id", ""],
        ["?cursor", ""],
        ["?ai_model", "openai__gpt-4o", { param: "ai_model" }],
      ],
      type: [
        ["?time_of_generation_min", "yesterday"],
        ["?cost_min", "much"],
      ],
      unknown: [["?workspace_id", "ws-nobody"]],
    },
    "GET /logs/{logId}": {
      scope: "logs.read or completions.write or logs.write or logs.view",
      at: { logId: "$log" },
      answer: { _id: "$log", log_format: "v1", metrics: { workspace_slug: "$workspace" } },
    },
  },
};

const score = { value: -4, weight: 0.5, metadata: { _user: "u-17" } };
const bound = [...each("value", 11, -11, 1.5), ...each("weight", -0.1, 1.1)];
const type = [
  ["value", "good"],
  ["weight", "heavy"],
  ["metadata", 5],
  ["metadata", "[1]"],
] as const;

/** control-plane.md section 14.1. */
export const feedback: Family = {
  things: {
    feedback: { make: "POST /feedback", body: { trace_id: "t", ...score }, by: "workspace", ref: "feedback_ids[0]" },
  },
  operations: {
    "POST /feedback": {
      scope: "logs.write or feedbacks.write or completions.write",
      says: { status: "failure" },
      body: { trace_id: "case-88213", ...score },
      answer: { status: "success", feedback_ids: [anId] },
      also: [
        {
          body: [
            { trace_id: "t", value: 1 },
            { trace_id: "t", value: 2 },
          ],
          answer: { feedback_ids: [anId, anId] },
        },
      ],
      missing: ["trace_id", "value"],
      bound: [
        ...bound,
        ...each("trace_id", "", text(513)),
        ["", []],
        ["", Array.from({ length: 101 }, () => ({ trace_id: "t", value: 1 }))],
      ],
      type: [...type, ["trace_id", 5]],
    },
    "PUT /feedback/{id}": {
      scope: "logs.write or feedbacks.write or completions.write",
      says: { status: "failure" },
      at: { id: "$feedback" },
      body: { value: 10 },
      answer: { status: "success", feedback_ids: ["$feedback"] },
      missing: ["value"],
      bound,
      type,
    },
  },
};
