import type { ErrorDetail } from "../../core/index.ts";

/** The body of an error inside a stream. */
export const encodeErrorFrame = ({ message, type, param, code }: ErrorDetail): string =>
  `data: ${JSON.stringify({ error: { message, type: type ?? null, param: param ?? null, code: code ?? null } })}\n\n`;
