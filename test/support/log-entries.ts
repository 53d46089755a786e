import type { LogBody, LogEntry, LogObject, LogRow } from "../../core/index.ts";

/** A row as one of an ordinary request, with what a test says of it. */
export const logRow = (more: Partial<LogRow> & Pick<LogRow, "id">): LogRow => ({
  organisation_id: "o",
  organisation_name: null,
  workspace_slug: "ws-one",
  user_id: null,
  api_key_id: null,
  api_key_name: "team",
  created_at: new Date(1_000).toISOString(),
  is_success: true,
  ai_org: "openai",
  ai_org_auth_hash: null,
  ai_model: "gpt-4o",
  req_units: 10,
  res_units: 5,
  total_units: 15,
  cost: null,
  cost_currency: "USD",
  request_url: "https://api.openai.com/v1/chat/completions",
  request_method: "POST",
  response_status_code: 200,
  response_time: 120,
  is_proxy_call: false,
  cache_status: null,
  cache_type: null,
  cache_savings: 0,
  stream_mode: 0,
  retry_success_count: 0,
  mode: "single",
  last_used_option_index: 0,
  provider_slug: "openai",
  virtual_key: "openai",
  config: null,
  config_id: null,
  config_version_id: null,
  prompt_id: null,
  prompt_version_id: null,
  prompt_slug: null,
  trace_id: "trace",
  span_id: "0011223344556677",
  parent_span_id: null,
  span_name: null,
  internal_trace_id: more.id,
  source: "gateway",
  runtime: null,
  runtime_version: null,
  sdk_version: null,
  _user: null,
  _environment: null,
  _organisation: null,
  _prompt: null,
  "metadata.key": [],
  "metadata.value": [],
  gateway_version: "0.1.0",
  log_store_file_path_format: "v1",
  endpoint_type: "chatComplete",
  request_parsing_time: null,
  pre_processing_time: 1,
  cache_processing_time: null,
  upstream_response_time: 100,
  ttlt: 119,
  ttft: null,
  response_parsing_time: null,
  gateway_processing_time: 2,
  usage_source: "provider",
  cost_source: null,
  ...more,
});

export const logEntry = (
  more: Partial<LogRow> & Pick<LogRow, "id">,
  object?: LogObject,
  workspace: string | null = "w1",
): LogEntry => ({ workspace, row: logRow(more), ...(object && { object }) });

export const bodyOf = (text: string): LogBody => ({ bytes: new Uint8Array(Buffer.from(text)) });

/** An object with these bodies; the request is sent as it came. */
export function logObject(asked: LogBody, answered: LogBody): LogObject {
  const url = "https://api.openai.com/v1/chat/completions";
  const sent = { url, method: "POST", headers: { "content-type": "application/json" }, body: asked };
  return {
    request: { ...sent, gatewayHeaders: { "x-gateway-trace-id": "trace" } },
    response: { status: 200, responseTime: 120, lastUsedOptionJsonPath: "config", body: answered },
    finalUntransformedRequest: { body: asked },
    transformedRequest: sent,
    originalResponse: { body: answered },
    execution_time: 120,
    log_format: "v1",
  };
}
