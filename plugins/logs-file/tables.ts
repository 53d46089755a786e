import type { LogColumn } from "../../core/index.ts";

/** Raised when the tables change, or what is in them; a file of a later format is refused. */
export const format = 3;

/** Up to format 2 rows had a column for each value they are found by, which nobody fills or asks any more. */
export const upgrades = { 1: "", 2: "" };

/** A row has some 1,700 bytes: of pages of 4,096 a sixth would stay empty. */
export const pageSize = 16_384;

/**
 * Where in the content of a row stands what rows are found by, but for what has a column of its own, and an index. To give
 * every value a column takes two fifths of the time of a write (decision 0044).
 */
export const places = {
  workspace_slug: 3,
  user_id: 4,
  api_key_id: 5,
  ai_org: 9,
  ai_model: 11,
  req_units: 12,
  res_units: 13,
  total_units: 14,
  cost: 15,
  response_status_code: 19,
  response_time: 20,
  cache_status: 22,
  retry_success_count: 26,
  mode: 27,
  last_used_option_index: 28,
  virtual_key: 30,
  config: 31,
  config_id: 32,
  prompt_id: 34,
  prompt_slug: 36,
  span_id: 38,
  internal_trace_id: 41,
  source: 42,
  _user: 46,
  endpoint_type: 54,
} as const satisfies { readonly [Column in Exclude<LogColumn, "workspace" | "trace_id">]: number };

/** The value of a column of rows `r`. Rows of format 1 have the names of their values with them. */
export const columnValue = (column: LogColumn): string =>
  isPlaced(column) ? `coalesce(r.content ->> '$[${places[column]}]', r.content ->> '$.${column}')` : `r.${column}`;

const isPlaced = (column: LogColumn): column is keyof typeof places => column in places;

/** Numbers are given in the order of writing, which is how the oldest are found. */
export const tables = `
CREATE TABLE rows (
  number INTEGER PRIMARY KEY, organisation TEXT NOT NULL, id TEXT NOT NULL, created INTEGER NOT NULL,
  workspace TEXT, trace_id TEXT, metadata TEXT, content TEXT NOT NULL
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
