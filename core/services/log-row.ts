/** The analytics row of a record: what became of a request, without its content. What nobody knows is null, not zero. */
export interface LogRow {
  readonly id: string;
  readonly organisation_id: string;
  readonly organisation_name: string | null;
  readonly workspace_slug: string | null;
  readonly user_id: string | null;
  readonly api_key_id: string | null;
  readonly api_key_name: string | null;
  /** ISO 8601 with milliseconds. */
  readonly created_at: string;
  readonly is_success: boolean;
  /** The provider: `openai`. */
  readonly ai_org: string | null;
  /** SHA-256 of the provider's credential. */
  readonly ai_org_auth_hash: string | null;
  readonly ai_model: string | null;
  /** Tokens in, out, and both. */
  readonly req_units: number | null;
  readonly res_units: number | null;
  readonly total_units: number | null;
  /** US cents. */
  readonly cost: number | null;
  readonly cost_currency: string;
  readonly request_url: string;
  readonly request_method: string;
  readonly response_status_code: number;
  /** Milliseconds, as all times here. */
  readonly response_time: number;
  readonly is_proxy_call: boolean;
  readonly cache_status: string | null;
  readonly cache_type: string | null;
  /** Cents a cached answer would have cost. */
  readonly cache_savings: number | null;
  readonly stream_mode: 0 | 1 | null;
  /** 0 the first attempt, n the successful retry, -1 none of them. */
  readonly retry_success_count: number;
  readonly mode: string;
  readonly last_used_option_index: number;
  readonly provider_slug: string | null;
  readonly virtual_key: string | null;
  /** The slug of a saved config, or `inline`. */
  readonly config: string | null;
  readonly config_id: string | null;
  readonly config_version_id: string | null;
  readonly prompt_id: string | null;
  readonly prompt_version_id: string | null;
  readonly prompt_slug: string | null;
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly span_name: string | null;
  /** Shared by all records of one client request. */
  readonly internal_trace_id: string;
  readonly source: string;
  readonly runtime: string | null;
  readonly runtime_version: string | null;
  readonly sdk_version: string | null;
  readonly _user: string | null;
  readonly _environment: string | null;
  readonly _organisation: string | null;
  readonly _prompt: string | null;
  readonly "metadata.key": readonly string[];
  readonly "metadata.value": readonly string[];
  readonly gateway_version: string;
  readonly log_store_file_path_format: "v1";
  /** `chatComplete`, `embed`, … */
  readonly endpoint_type: string;
  /** Milliseconds, as the others: until the last byte of the body of the request was there. Parsing it is no time to speak of. */
  readonly request_parsing_time: number | null;
  readonly pre_processing_time: number | null;
  /** Null where no cache was asked. */
  readonly cache_processing_time: number | null;
  readonly upstream_response_time: number | null;
  readonly ttlt: number | null;
  readonly ttft: number | null;
  /** Null where nothing was translated, and of streams. */
  readonly response_parsing_time: number | null;
  readonly gateway_processing_time: number | null;
  /** Who counted the tokens: the `provider`, or the gateway (`estimated`). */
  readonly usage_source: "provider" | "estimated" | null;
  /** Where the prices are from: `catalogue`, `config`, `model`, `cache`; null where there are none. */
  readonly cost_source: string | null;
}
