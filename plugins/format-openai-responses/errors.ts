import { type ErrorDetail, type Fields, isRecord, readErrorBody, usualError } from "../../core/index.ts";

/**
 * Reads an error body, an `error` event, whose fields stand in it or in its `error`, and an answer or an event that
 * says the answer failed.
 */
export function decodeError(wire: unknown): ErrorDetail | undefined {
  if (!isRecord(wire)) return readErrorBody(wire);
  const { response, ...own } = wire;
  if (isRecord(response)) return decodeError({ error: response.error });
  if (own.type !== "error" || isRecord(own.error)) return readErrorBody(own);
  // The type of the event is no type of an error.
  const { type: _, ...event } = own;
  return readErrorBody(event);
}

/** The `error` of an error event, which clients of the vendor throw, and that of a failed answer. */
export function errorFields(error: ErrorDetail): Fields {
  const { message, type, param, code } = usualError(error);
  return { type: type ?? "server_error", code: code ?? type ?? null, message, param: param ?? null };
}
