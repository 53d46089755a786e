import { type Dialect, sse } from "./dialect.ts";
import type { Wire } from "./wire.ts";

const types: Readonly<Record<number, readonly [type: string, code: string]>> = {
  401: ["invalid_request_error", "invalid_api_key"],
  404: ["invalid_request_error", "model_not_found"],
  429: ["rate_limit_error", "rate_limit_exceeded"],
};

function errorBody(status: number, message: string): Wire {
  const [type, code = null] = types[status] ?? [status < 500 ? "invalid_request_error" : "server_error"];
  return { error: { message, type, param: null, code } };
}

/** How all dialects of this vendor fail. */
export const openAiErrors: Pick<Dialect, "errorBody" | "errorFrame" | "malformedFrame"> = {
  errorBody,
  errorFrame: () => sse(errorBody(500, "Simulated failure inside the stream.")),
  malformedFrame: sse('{"choices":[{"index":0,'),
};
