import { type ErrorDetail, type Fields, isRecord } from "../../core/index.ts";

/** `{"type":"error","error":{"type","message"}}`, of a body or of a stream event. */
export function decodeError(wire: unknown): ErrorDetail | undefined {
  if (!isRecord(wire) || !isRecord(wire.error)) return undefined;
  const { message, type } = wire.error;
  // Some hosts leave the message out: the type says something too.
  if (typeof message !== "string") return typeof type === "string" ? { message: type, type } : undefined;
  return { message, ...(typeof type === "string" && { type }) };
}

/** Clients of this format recognise an error by its top-level `type`. */
export const encodeError = (body: Fields): Fields => (isRecord(body.error) ? { type: "error", ...body } : body);

/** The event that ends a stream which failed. */
export const errorEvent = ({ type = "api_error", message }: ErrorDetail): string =>
  `event: error\ndata: ${JSON.stringify({ type: "error", error: { type, message } })}\n\n`;
