/**
 * Every error the gateway makes itself. The code is the contract; status, retryability and the shape of the body follow.
 * `family` names the shapes of inference-api.md section 5.1: A validation and internal, C OpenAI-style, E management,
 * F what saved-only mode refuses, U the union used for 401, N the bare 404.
 */
export interface ErrorRow {
  readonly status: number;
  readonly family: "A" | "C" | "E" | "F" | "U" | "N";
  /** `error.type` of the body. */
  readonly type: string;
  /** Whether sending the same request again could help. */
  readonly retryable: boolean;
  /** The gateway itself failed: `x-gateway-gateway-exception: true`, and no fallback. */
  readonly exception?: true;
  /** `error.code` of the body, when it is not null; `errorCode` in family E. */
  readonly wireCode?: string;
}

const row = (status: number, family: ErrorRow["family"], type: string, more: Partial<ErrorRow> = {}): ErrorRow => ({
  status,
  family,
  type,
  retryable: false,
  ...more,
});

export const errorTable = {
  invalid_api_key: row(401, "U", "authentication_error", { wireCode: "invalid_api_key" }),
  expired_api_key: row(401, "U", "authentication_error", { wireCode: "expired_api_key" }),
  invalid_jwt: row(401, "U", "authentication_error", { wireCode: "invalid_jwt" }),
  forbidden: row(403, "E", "permission_error", { wireCode: "AB03" }),

  invalid_request: row(400, "A", "invalid_request_error"),
  invalid_json: row(400, "A", "invalid_request_error"),
  secret_unresolved: row(500, "A", "gateway_error"),
  content_type_not_accepted: row(400, "A", "invalid_request_error"),
  provider_missing: row(400, "A", "invalid_request_error"),
  provider_unknown: row(400, "A", "invalid_request_error"),
  credential_missing: row(401, "A", "authentication_error"),
  custom_host_invalid: row(400, "A", "invalid_request_error"),
  config_invalid: row(400, "A", "invalid_request_error"),
  forward_headers_invalid: row(400, "A", "invalid_request_error"),
  inline_config_blocked: row(400, "F", "invalid_request_error", { wireCode: "inline_config_blocked" }),
  inline_provider_blocked: row(400, "F", "invalid_request_error", { wireCode: "inline_provider_blocked" }),
  inline_custom_host_blocked: row(400, "F", "invalid_request_error", { wireCode: "inline_custom_host_blocked" }),
  inline_provider_url_blocked: row(400, "F", "invalid_request_error", { wireCode: "inline_provider_url_blocked" }),
  inline_forward_headers_blocked: row(400, "F", "invalid_request_error", {
    wireCode: "inline_forward_headers_blocked",
  }),
  endpoint_unsupported: row(400, "A", "invalid_request_error"),
  response_unknown: row(400, "A", "invalid_request_error", { wireCode: "previous_response_not_found" }),
  params_dropped: row(400, "A", "invalid_request_error"),
  address_blocked: row(400, "A", "invalid_request_error"),
  provider_expired: row(401, "U", "authentication_error", { wireCode: "provider_expired" }),
  provider_not_available: row(403, "U", "permission_error", { wireCode: "provider_not_available" }),
  model_not_allowed: row(403, "U", "permission_error", { wireCode: "model_not_allowed" }),
  not_found: row(404, "N", "not_found_error"),
  method_not_allowed: row(405, "A", "invalid_request_error"),
  body_timeout: row(408, "A", "invalid_request_error"),
  body_too_large: row(413, "A", "invalid_request_error"),
  headers_too_large: row(431, "A", "invalid_request_error"),

  item_unknown: row(404, "C", "not_found_error"),
  request_timeout: row(408, "C", "timeout_error", { retryable: true }),
  budget_exhausted: row(412, "C", "usage_limit_exceeded", { wireCode: "budget_exhausted" }),
  rate_limited: row(429, "C", "rate_limit_exceeded", { wireCode: "rate_limit_exceeded" }),
  limit_store_unavailable: row(503, "C", "api_error", { wireCode: "limit_store_unavailable", retryable: true }),
  upstream_failed: row(500, "C", "upstream_connection_error", { retryable: true }),
  socket_refused: row(500, "A", "gateway_error"),
  upstream_unreachable: row(503, "C", "upstream_connection_error", { retryable: true }),
  upstream_invalid: row(502, "C", "upstream_invalid_response", { retryable: true }),
  upstream_too_large: row(502, "C", "upstream_invalid_response"),
  /** The vendor's filters left nothing of an answer: as vendors say it that refuse such requests outright. */
  content_filtered: row(400, "C", "invalid_request_error", { wireCode: "content_filter" }),
  upstream_truncated: row(502, "C", "upstream_truncated", { retryable: true }),
  malformed_frame: row(502, "C", "upstream_invalid_response"),
  client_gone: row(499, "C", "client_closed_request"),
  secret_unavailable: row(500, "A", "gateway_error"),
  draining: row(503, "A", "service_unavailable", { retryable: true }),

  record_invalid: row(400, "E", "invalid_request_error", { wireCode: "AB01" }),
  reference_unknown: row(404, "E", "invalid_request_error", { wireCode: "AB02" }),
  quota_reached: row(402, "E", "quota_error", { wireCode: "AB09" }),
  record_unknown: row(404, "E", "invalid_request_error", { wireCode: "AB08" }),
  already_exists: row(409, "E", "invalid_request_error", { wireCode: "AB07" }),
  throttled: row(429, "E", "rate_limit_error", { wireCode: "AB06", retryable: true }),
  store_unavailable: row(503, "E", "api_error", { wireCode: "AB04", retryable: true }),

  plugin_failed: row(500, "A", "gateway_error", { exception: true }),
  internal: row(500, "A", "gateway_error", { exception: true }),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;
