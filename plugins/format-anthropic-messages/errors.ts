import { type ErrorDetail, type ErrorWords, errorTypeIn, type Fields, isRecord } from "../../core/index.ts";
import { withTooLong } from "./prompt-too-long.ts";

/** `{"type":"error","error":{"type","message"}}`, of a body or of a stream event. */
export function decodeError(wire: unknown): ErrorDetail | undefined {
  if (!isRecord(wire) || !isRecord(wire.error)) return undefined;
  const { message, type, details } = wire.error;
  // Some hosts leave the message out: the type says something too.
  if (typeof message !== "string") return typeof type === "string" ? { message: type, type } : undefined;
  return { message, ...(typeof type === "string" && { type }), ...(isRecord(details) && { details }) };
}

/** What stands for an error of a shape nobody knows, which has nothing but this message (inference-api.md section 5.1). */
const illegible = /^Invalid response received from /;

/** Clients of this format recognise an error by its top-level `type`. */
export function encodeError(body: Fields, status?: number): Fields {
  const { error } = body;
  if (!isRecord(error)) return body;
  const { message } = error;
  if (typeof message !== "string") return { type: "error", ...body };
  // Readers that know no error without a type (Vercel's AI SDK) tell nothing of one: vendors that name none have it from the status.
  const isLegible = status !== undefined && !illegible.test(message);
  const type = error.type ?? (isLegible ? errorTypeIn(words, { message, status }) : undefined);
  const said = withTooLong({ ...error, message }, status);
  return { type: "error", ...body, error: { ...error, ...(type !== undefined && { type }), message: said } };
}

/** The event that ends a stream which failed. */
export function errorEvent(error: ErrorDetail): string {
  const type = errorTypeIn(words, error) ?? "api_error";
  const message = withTooLong(error, error.status);
  return `event: error\ndata: ${JSON.stringify({ type: "error", error: { type, message } })}\n\n`;
}

const words: ErrorWords = {
  byStatus: {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    503: "overloaded_error",
    504: "timeout_error",
    529: "overloaded_error",
  },
};
