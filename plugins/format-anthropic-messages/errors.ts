import type { ErrorDetail } from "../../core/index.ts";
import { isRecord, type Wire } from "./fields.ts";

/** `{"type":"error","error":{"type","message"}}`, of a body or of a stream event. */
export function decodeError(wire: unknown): ErrorDetail | undefined {
  if (!isRecord(wire) || !isRecord(wire.error)) return undefined;
  const { message, type } = wire.error;
  if (typeof message !== "string") return undefined;
  return { message, ...(typeof type === "string" && { type }) };
}

/** Clients of this format recognise an error by its top-level `type`. */
export const encodeError = (body: Wire): Wire => (isRecord(body.error) ? { type: "error", ...body } : body);

/** The event that ends a stream which failed. */
export const errorEvent = ({ type = "api_error", message }: ErrorDetail): string =>
  `event: error\ndata: ${JSON.stringify({ type: "error", error: { type, message } })}\n\n`;
