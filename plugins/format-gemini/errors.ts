import { type ErrorDetail, type Fields, isRecord, lookUp, readErrorBody } from "../../core/index.ts";

/**
 * `{error: {code, message, status, details}}`, alone or in a list: a stream that is no event stream has its errors there. By `details`
 * clients know how long to wait (`RetryInfo`), and that waiting is no use today (`QuotaFailure`).
 */
export function decodeError(wire: unknown): ErrorDetail | undefined {
  if (Array.isArray(wire)) return wire.length > 0 ? decodeError(wire[0]) : undefined;
  if (!isRecord(wire) || !isRecord(wire.error)) return undefined;
  const { status, details } = wire.error;
  const detail = readErrorBody(wire);
  const retryAfter = Array.isArray(details) ? waitIn(details) : undefined;
  return (
    detail && {
      ...detail,
      ...(typeof status === "string" && { type: status }),
      ...(Array.isArray(details) && details.length > 0 && { details }),
      ...(retryAfter !== undefined && { retryAfter }),
    }
  );
}

const retryInfo = "type.googleapis.com/google.rpc.RetryInfo";
const isRetryInfo = (one: unknown): one is Fields => isRecord(one) && one["@type"] === retryInfo;

/** The milliseconds of a `RetryInfo`, whose `retryDelay` is a duration as protobuf writes it in JSON (`34.07s`). */
function waitIn(details: readonly unknown[]): number | undefined {
  const delay = details.find(isRetryInfo)?.retryDelay;
  const [, seconds] = (typeof delay === "string" && /^(\d{1,9}(?:\.\d+)?)s$/.exec(delay)) || [];
  const wait = Math.ceil(Number(seconds ?? 0) * 1000);
  return wait > 0 ? wait : undefined;
}

/** What an error's own details lack for clients to know how long to wait. Durations have nine digits behind the point at most. */
const waiting = (own: readonly unknown[], wait: number | undefined): readonly unknown[] =>
  wait === undefined || own.some(isRetryInfo) ? [] : [{ "@type": retryInfo, retryDelay: `${Math.ceil(wait) / 1000}s` }];

/** The types of errors the gateway makes, as this API numbers and names them. */
const kinds: Readonly<Record<string, readonly [code: number, status: string]>> = {
  invalid_request_error: [400, "INVALID_ARGUMENT"],
  authentication_error: [401, "UNAUTHENTICATED"],
  permission_error: [403, "PERMISSION_DENIED"],
  not_found_error: [404, "NOT_FOUND"],
  timeout_error: [504, "DEADLINE_EXCEEDED"],
  usage_limit_exceeded: [412, "FAILED_PRECONDITION"],
  hooks_failed: [446, "FAILED_PRECONDITION"],
  rate_limit_error: [429, "RESOURCE_EXHAUSTED"],
  rate_limit_exceeded: [429, "RESOURCE_EXHAUSTED"],
  overloaded_error: [503, "UNAVAILABLE"],
  service_unavailable: [503, "UNAVAILABLE"],
  upstream_connection_error: [503, "UNAVAILABLE"],
};
const unknownKind = [500, "INTERNAL"] as const;

/** Errors of vendors whose types say nothing here, by their status. */
const words: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  408: "DEADLINE_EXCEEDED",
  409: "ABORTED",
  422: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
  529: "UNAVAILABLE",
};

function kindOf(type: unknown, status: number | undefined): readonly [code: number, status: string] {
  const known = typeof type === "string" ? lookUp(kinds, type) : undefined;
  if (known || status === undefined || status < 400) return known ?? unknownKind;
  return [status, words[status] ?? (status < 500 ? "FAILED_PRECONDITION" : "INTERNAL")];
}

/** The vendor's own words are in capitals. */
const isStatus = (type: unknown): type is string => typeof type === "string" && /^[A-Z][A-Z_]+$/.test(type);

const reasonOf = (reason: string): Fields => ({
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason,
  domain: "gateway",
});

/** Clients read the code as a number: a code that is a word stands in `details`, as the vendor's reasons do. */
function errorFields(error: Readonly<Fields>, answered?: number, wait?: number): Fields {
  const { type, code, details } = error;
  const [number, status] = kindOf(type, answered);
  const own: readonly unknown[] = Array.isArray(details) ? details : [];
  const all = [...own, ...waiting(own, wait), ...(typeof code === "string" ? [reasonOf(code)] : [])];
  return {
    code: typeof code === "number" && code >= 400 && code < 600 ? code : number,
    status: isStatus(type) ? type : status,
    ...(all.length > 0 && { details: all }),
  };
}

export const encodeError = (body: Fields, status?: number, wait?: number): Fields =>
  isRecord(body.error) ? { ...body, error: { ...body.error, ...errorFields(body.error, status, wait) } } : body;

/** The JSON that ends a stream which failed. */
export const streamError = (error: ErrorDetail): string => {
  const { code, ...more } = errorFields({ ...error }, error.status, error.retryAfter);
  return JSON.stringify({ error: { code, message: error.message, ...more } });
};
