import { type ErrorDetail, usualError } from "../../core/index.ts";

/** The body of an error inside a stream. */
export function encodeErrorFrame(error: ErrorDetail): string {
  const { message, type = null, param = null, code = null } = usualError(error);
  return `data: ${JSON.stringify({ error: { message, type, param, code } })}\n\n`;
}
