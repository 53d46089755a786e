import type { LogColumn } from "../../core/index.ts";

/** Raised when the tables change, or what is in them; a file of a later format is refused. */
export const format = 2;

/** Rows of format 1 have the names of their fields with them, and are read all the same. */
export const upgrades = { 1: "" };

/** A row has some 1,700 bytes: of pages of 4,096 a sixth would stay empty. */
export const pageSize = 16_384;

const columns = {
  workspace: "TEXT",
  workspace_slug: "TEXT",
  user_id: "TEXT",
  api_key_id: "TEXT",
  ai_org: "TEXT",
  ai_model: "TEXT",
  virtual_key: "TEXT",
  config: "TEXT",
  config_id: "TEXT",
  prompt_id: "TEXT",
  prompt_slug: "TEXT",
  trace_id: "TEXT",
  span_id: "TEXT",
  internal_trace_id: "TEXT",
  source: "TEXT",
  mode: "TEXT",
  endpoint_type: "TEXT",
  cache_status: "TEXT",
  _user: "TEXT",
  response_status_code: "INTEGER",
  response_time: "REAL",
  req_units: "REAL",
  res_units: "REAL",
  total_units: "REAL",
  cost: "REAL",
  retry_success_count: "INTEGER",
  last_used_option_index: "INTEGER",
} as const satisfies { readonly [Column in LogColumn]: "TEXT" | "INTEGER" | "REAL" };

const columnsOf = Object.entries(columns).map(([name, type]) => `${name} ${type}`);

/** Numbers are given in the order of writing, which is how the oldest are found. */
export const tables = `
CREATE TABLE rows (
  number INTEGER PRIMARY KEY, organisation TEXT NOT NULL, id TEXT NOT NULL, created INTEGER NOT NULL,
  metadata TEXT, content TEXT NOT NULL, ${columnsOf.join(", ")}
);
CREATE UNIQUE INDEX rows_by_id ON rows (organisation, id);
CREATE INDEX rows_of_organisation ON rows (organisation, created, id);
CREATE INDEX rows_of_workspace ON rows (organisation, workspace, created, id);
CREATE INDEX rows_of_trace ON rows (organisation, trace_id);
CREATE TABLE objects (number INTEGER PRIMARY KEY, created INTEGER NOT NULL, head TEXT NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE feedback (
  number INTEGER PRIMARY KEY, organisation TEXT NOT NULL, id TEXT NOT NULL, trace TEXT NOT NULL, created INTEGER NOT NULL,
  weighted REAL NOT NULL, content TEXT NOT NULL
);
CREATE UNIQUE INDEX feedback_by_id ON feedback (organisation, id);
CREATE INDEX feedback_of_trace ON feedback (organisation, trace);
`;
