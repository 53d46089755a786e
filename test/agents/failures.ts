import { exceptionFrame } from "../../core/index.ts";
import { list, named, unnamed, type Wire } from "../conformance/conversations/speaker.ts";

/** How vendors of each format fail, in their own words. */

const firstWith =
  (name: string, fields: Wire) =>
  (answer: Wire): Wire => {
    const [first] = list(answer[name]);
    return { ...answer, [name]: [{ ...first, ...fields }] };
  };

/** An answer that is none. */
export interface Refusal {
  readonly status: number;
  readonly body: Wire;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Failing {
  readonly tooMany: Refusal;
  readonly overloaded: Refusal;
  readonly broken: Refusal;
  readonly tooLong: Refusal;
  /** What ends a stream of a vendor that is overloaded meanwhile; binary formats as latin1. */
  readonly event: string;
  /** How an answer ends that was too long, and one that a filter stopped, where the format has a word for it. */
  readonly truncated: (answer: Wire) => Wire;
  readonly filtered?: (answer: Wire) => Wire;
}

const usual = (status: number, message: string, type: string | null, code: string | null = null): Refusal => ({
  status,
  body: { error: { message, type, param: null, code } },
});

/** api-docs.deepseek.com/quick_start/error_codes */
const chat: Failing = {
  tooMany: usual(429, "Rate limit reached.", "rate_limit_reached_error", "rate_limit_reached_error"),
  overloaded: usual(503, "Service is too busy.", "service_unavailable_error", "service_unavailable_error"),
  broken: usual(500, "Something broke.", "internal_error", "internal_error"),
  tooLong: usual(
    400,
    "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.",
    "invalid_request_error",
    "invalid_request_error",
  ),
  event: unnamed({
    error: { message: "Service is too busy.", type: "service_unavailable_error", param: null, code: null },
  }),
  truncated: firstWith("choices", { finish_reason: "length" }),
  filtered: firstWith("choices", { finish_reason: "content_filter" }),
};

/** docs: guides/error-codes */
const responses: Failing = {
  tooMany: usual(429, "Rate limit reached for the model. Please try again in 1.2s.", "tokens", "rate_limit_exceeded"),
  overloaded: usual(503, "Our servers are overloaded.", "service_unavailable_error", "server_is_overloaded"),
  broken: usual(500, "The server had an error.", "server_error"),
  tooLong: usual(
    400,
    "Your input exceeds the context window of this model.",
    "invalid_request_error",
    "context_length_exceeded",
  ),
  event: named("response.failed", {
    sequence_number: 99,
    response: {
      id: "resp_1",
      object: "response",
      created_at: 1,
      model: "m",
      status: "failed",
      output: [],
      error: { code: "server_is_overloaded", message: "Our servers are overloaded." },
    },
  }),
  truncated: (answer) => ({ ...answer, status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }),
  filtered: (answer) => ({ ...answer, status: "incomplete", incomplete_details: { reason: "content_filter" } }),
};

const anthropicSays = (status: number, type: string, message: string): Refusal => ({
  status,
  body: { type: "error", error: { type, message }, request_id: "req_1" },
});

/** docs: api/errors */
const anthropic: Failing = {
  tooMany: anthropicSays(429, "rate_limit_error", "This request would exceed your limit."),
  overloaded: anthropicSays(529, "overloaded_error", "Overloaded"),
  broken: anthropicSays(500, "api_error", "Internal server error"),
  tooLong: anthropicSays(400, "invalid_request_error", "prompt is too long: 210118 tokens > 200000 maximum"),
  event: named("error", { error: { type: "overloaded_error", message: "Overloaded" } }),
  truncated: (answer) => ({ ...answer, stop_reason: "max_tokens" }),
  filtered: (answer) => ({ ...answer, stop_reason: "refusal" }),
};

const googleSays = (code: number, status: string, message: string, details?: readonly Wire[]): Refusal => ({
  status: code,
  body: { error: { code, message, status, ...(details && { details }) } },
});

/** ai.google.dev/gemini-api/docs/troubleshooting */
const gemini: Failing = {
  tooMany: googleSays(429, "RESOURCE_EXHAUSTED", "You exceeded your quota. Please retry in 7.5s.", [
    { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId: "RequestsPerMinute" }] },
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" },
  ]),
  overloaded: googleSays(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
  broken: googleSays(500, "INTERNAL", "An internal error has occurred."),
  tooLong: googleSays(
    400,
    "INVALID_ARGUMENT",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  ),
  event: unnamed({ error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } }),
  truncated: firstWith("candidates", { finishReason: "MAX_TOKENS" }),
  filtered: firstWith("candidates", { finishReason: "SAFETY" }),
};

const amazonSays = (status: number, type: string, message: string): Refusal => ({
  status,
  body: { message },
  headers: { "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/` },
});

/** docs: bedrock/latest/APIReference/API_runtime_ConverseStream.html */
const converse: Failing = {
  tooMany: amazonSays(429, "ThrottlingException", "Too many tokens, please wait before trying again."),
  overloaded: amazonSays(503, "ServiceUnavailableException", "Bedrock is unable to process your request."),
  broken: amazonSays(500, "InternalServerException", "The system encountered an unexpected error."),
  tooLong: amazonSays(400, "ValidationException", "Input is too long for requested model."),
  event: exceptionFrame("serviceUnavailableException", JSON.stringify({ message: "Bedrock is unable to process." })),
  truncated: (answer) => ({ ...answer, stopReason: "max_tokens" }),
  filtered: (answer) => ({ ...answer, stopReason: "content_filtered" }),
};

const cohereSays = (status: number, message: string): Refusal => ({ status, body: { id: "e1", message } });

/** docs.cohere.com/reference/errors */
const cohere: Failing = {
  tooMany: cohereSays(429, "You are past the per minute request limit."),
  overloaded: cohereSays(503, "The service is not available."),
  broken: cohereSays(500, "internal server error"),
  tooLong: cohereSays(
    400,
    "too many tokens: total number of tokens (prompt and prediction) cannot exceed 256000 - received 300000.",
  ),
  event: named("message-end", { delta: { finish_reason: "ERROR", error: "upstream is overloaded" } }),
  truncated: (answer) => ({ ...answer, finish_reason: "MAX_TOKENS" }),
};

export const failing: Readonly<Record<string, Failing>> = {
  "openai-chat": chat,
  "openai-responses": responses,
  "anthropic-messages": anthropic,
  gemini,
  "bedrock-converse": converse,
  "cohere-chat": cohere,
};
