import type { LogRow } from "../services/logs.ts";

/** Where the value of a field stands in a row that is kept. New fields go on counting: of rows that are there they are not known. */
const places: Readonly<Record<keyof LogRow, number>> = {
  id: 0,
  organisation_id: 1,
  organisation_name: 2,
  workspace_slug: 3,
  user_id: 4,
  api_key_id: 5,
  api_key_name: 6,
  created_at: 7,
  is_success: 8,
  ai_org: 9,
  ai_org_auth_hash: 10,
  ai_model: 11,
  req_units: 12,
  res_units: 13,
  total_units: 14,
  cost: 15,
  cost_currency: 16,
  request_url: 17,
  request_method: 18,
  response_status_code: 19,
  response_time: 20,
  is_proxy_call: 21,
  cache_status: 22,
  cache_type: 23,
  cache_savings: 24,
  stream_mode: 25,
  retry_success_count: 26,
  mode: 27,
  last_used_option_index: 28,
  provider_slug: 29,
  virtual_key: 30,
  config: 31,
  config_id: 32,
  config_version_id: 33,
  prompt_id: 34,
  prompt_version_id: 35,
  prompt_slug: 36,
  trace_id: 37,
  span_id: 38,
  parent_span_id: 39,
  span_name: 40,
  internal_trace_id: 41,
  source: 42,
  runtime: 43,
  runtime_version: 44,
  sdk_version: 45,
  _user: 46,
  _environment: 47,
  _organisation: 48,
  _prompt: 49,
  "metadata.key": 50,
  "metadata.value": 51,
  gateway_version: 52,
  log_store_file_path_format: 53,
  endpoint_type: 54,
  request_parsing_time: 55,
  pre_processing_time: 56,
  cache_processing_time: 57,
  upstream_response_time: 58,
  ttlt: 59,
  ttft: 60,
  response_parsing_time: 61,
  gateway_processing_time: 62,
  usage_source: 63,
  cost_source: 64,
};

const fields = Object.entries(places) as [keyof LogRow, number][];

/** The names of fields in their places; undefined where one was that is no more. */
const names: (keyof LogRow | undefined)[] = [];
for (const [name, place] of fields) names[place] = name;

/** A row has all of its fields, and their names would be most of what is kept of it: it is a list of their values. */
export function packedRow(row: LogRow): string {
  return JSON.stringify(names.map((name) => (name === undefined ? null : row[name])));
}

/** Also of a row that was kept with the names of its fields. */
export function unpackedRow(text: string): LogRow {
  const kept: unknown = JSON.parse(text);
  if (!Array.isArray(kept)) return kept as LogRow;
  return Object.fromEntries(fields.map(([name, place]) => [name, kept[place] ?? null])) as unknown as LogRow;
}
