import { lookUp } from "../../codec-kit/records.ts";
import type { ErrorDetail } from "../../errors/error-detail.ts";

/** The status a failure inside a stream would have had, had the vendor noticed it before the stream began. */
export const statusOf = (detail: ErrorDetail): number =>
  lookUp(statusByType, wordOf(detail.type)) ?? lookUp(statusByType, wordOf(detail.code)) ?? statusIn(detail) ?? 502;

/** Exceptions begin with a small letter in streams, and with a capital elsewhere. */
const wordOf = (word: string | number | undefined): string =>
  typeof word !== "string" ? "" : word.endsWith("Exception") ? word.charAt(0).toLowerCase() + word.slice(1) : word;

/** Some vendors number their errors with the status they stand for. */
const statusIn = ({ code }: ErrorDetail): number | undefined =>
  typeof code === "number" && Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined;

/** The statuses vendors use for these when they notice before the stream begins. */
const statusByType: Readonly<Record<string, number>> = {
  overloaded_error: 529,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  invalid_request_error: 400,
  context_length_exceeded: 400,
  // What the Responses API calls a prompt that it refuses, and images that it cannot use: they stay so when it is asked again (openai-node, ResponseError.code).
  invalid_prompt: 400,
  bio_policy: 400,
  invalid_image: 400,
  invalid_image_format: 400,
  invalid_image_mode: 400,
  invalid_image_url: 400,
  invalid_base64_image: 400,
  image_too_large: 400,
  image_too_small: 400,
  image_file_too_large: 400,
  image_parse_error: 400,
  image_content_policy_violation: 400,
  unsupported_image_media_type: 400,
  empty_image_file: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  billing_error: 402,
  request_too_large: 413,
  timeout_error: 408,
  insufficient_quota: 429,
  server_is_overloaded: 503,
  slow_down: 503,
  accessDeniedException: 403,
  resourceNotFoundException: 404,
  throttlingException: 429,
  validationException: 400,
  modelTimeoutException: 408,
  modelStreamErrorException: 424,
  internalServerException: 500,
  serviceUnavailableException: 503,
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};
