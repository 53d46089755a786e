import type { LogRow } from "../services/logs.ts";

/**
 * The values of a row as they are kept, each at its place. New fields come at the end, and one that is no more leaves a
 * null: of rows that are there, neither may move. Written out, because names that are looked up one after the other take
 * three times as long.
 */
// biome-ignore format: one field a line says which place is whose
const valuesOf = (row: LogRow) => [
  row.id,
  row.organisation_id,
  row.organisation_name,
  row.workspace_slug,
  row.user_id,
  row.api_key_id,
  row.api_key_name,
  row.created_at,
  row.is_success,
  row.ai_org,
  row.ai_org_auth_hash,
  row.ai_model,
  row.req_units,
  row.res_units,
  row.total_units,
  row.cost,
  row.cost_currency,
  row.request_url,
  row.request_method,
  row.response_status_code,
  row.response_time,
  row.is_proxy_call,
  row.cache_status,
  row.cache_type,
  row.cache_savings,
  row.stream_mode,
  row.retry_success_count,
  row.mode,
  row.last_used_option_index,
  row.provider_slug,
  row.virtual_key,
  row.config,
  row.config_id,
  row.config_version_id,
  row.prompt_id,
  row.prompt_version_id,
  row.prompt_slug,
  row.trace_id,
  row.span_id,
  row.parent_span_id,
  row.span_name,
  row.internal_trace_id,
  row.source,
  row.runtime,
  row.runtime_version,
  row.sdk_version,
  row._user,
  row._environment,
  row._organisation,
  row._prompt,
  row["metadata.key"],
  row["metadata.value"],
  row.gateway_version,
  row.log_store_file_path_format,
  row.endpoint_type,
  row.request_parsing_time,
  row.pre_processing_time,
  row.cache_processing_time,
  row.upstream_response_time,
  row.ttlt,
  row.ttft,
  row.response_parsing_time,
  row.gateway_processing_time,
  row.usage_source,
  row.cost_source,
];

/** The names of fields at their places. */
const names = valuesOf(new Proxy({} as LogRow, { get: (_, name) => name })) as readonly (keyof LogRow | null)[];

/** Where the value of a field stands in a row that is kept; -1 where it is none. */
export const placeInRow = (name: string): number => (names as readonly unknown[]).indexOf(name);

/** A row has all of its fields, and their names would be most of what is kept of it: it is a list of their values. */
export const packedRow = (row: LogRow): string => JSON.stringify(valuesOf(row));

/** Also of a row that was kept with the names of its fields. */
export function unpackedRow(text: string): LogRow {
  const kept: unknown = JSON.parse(text);
  if (!Array.isArray(kept)) return kept as LogRow;
  return Object.fromEntries(
    names.flatMap((name, place) => (name === null ? [] : [[name, kept[place] ?? null]])),
  ) as unknown as LogRow;
}
