import type { ErrorDetail } from "../../errors/error-detail.ts";

/** The status a failure inside a stream would have had, had the vendor noticed it before the stream began. */
export const statusOf = (detail: ErrorDetail): number => statusByType[detail.type ?? ""] ?? statusIn(detail) ?? 502;

/** Some vendors number their errors with the status they stand for. */
const statusIn = ({ code }: ErrorDetail): number | undefined =>
  typeof code === "number" && Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined;

/** The statuses vendors use for these when they notice before the stream begins. */
const statusByType: Readonly<Record<string, number>> = {
  overloaded_error: 529,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  throttlingException: 429,
  validationException: 400,
  modelTimeoutException: 408,
  modelStreamErrorException: 424,
  internalServerException: 500,
  serviceUnavailableException: 503,
};
