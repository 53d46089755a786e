import type { ErrorDetail } from "../errors/error-detail.ts";

/** How a format calls errors. */
export interface ErrorWords {
  /** The type of the errors of a status; 400 and 500 stand for those that are not named. */
  readonly byStatus: Readonly<Record<number, string>> & { readonly 400: string; readonly 500: string };
  /** Types that are no status's. */
  readonly more?: readonly string[];
}

/**
 * The type of an error of a stream in the words of the client's format: as it is where they know it, or where nobody had to
 * translate, and else that of the status it would have had.
 */
export function errorTypeIn({ byStatus, more }: ErrorWords, { type, status }: ErrorDetail): string | undefined {
  const known = type !== undefined && (Object.values(byStatus).includes(type) || more?.includes(type));
  if (known || status === undefined) return type;
  return byStatus[status] ?? byStatus[status < 500 ? 400 : 500];
}

/** The types of `{error: {message, type, param, code}}`, the body most vendors have. */
const usualWords: ErrorWords = {
  byStatus: {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "server_error",
  },
  more: ["insufficient_quota", "rate_limit_exceeded", "timeout_error"],
};

/** The same detail in those words; the vendor's own stands as the code where there is none but a number. */
export function usualError(detail: ErrorDetail): ErrorDetail {
  const type = errorTypeIn(usualWords, detail);
  const code = codeIn(detail);
  if ((type === detail.type || type === undefined) && code === detail.code) return detail;
  const said = code ?? detail.type;
  return { ...detail, ...(type !== undefined && { type }), ...(said !== undefined && { code: said }) };
}

/** The body of an error inside a stream of events that have no type. */
export function usualErrorFrame(error: ErrorDetail): string {
  const { message, type = null, param = null, code = null } = usualError(error);
  return `data: ${JSON.stringify({ error: { message, type, param, code } })}\n\n`;
}

/** Codes are words here: clients that check what they are given take no numbers. */
const codeIn = ({ code, type, status }: ErrorDetail): ErrorDetail["code"] =>
  typeof code === "number" && status !== undefined ? (type ?? String(code)) : code;
