import type { ErrorDetail } from "../errors/error-detail.ts";
import { exceptionFrame } from "../http/aws-event-stream/events.ts";
import { awsErrors } from "./aws-errors.ts";
import { readErrorBody } from "./error-body.ts";
import { isRecord, lookUp } from "./records.ts";

/** The name of an error without what may stand around it: `com.amazon#ThrottlingException:http://…`. */
const plainType = (type: string): string => type.replace(/^.*#/, "").replace(/:.*$/s, "");

/** `{message}`, in capitals from some services, with its type as `__type` where the body says it. */
function decodeError(wire: unknown): ErrorDetail | undefined {
  if (!isRecord(wire)) return undefined;
  const message = [wire.message, wire.Message, wire.errorMessage].find((text) => typeof text === "string");
  const type = typeof wire.__type === "string" ? plainType(wire.__type) : undefined;
  if (typeof message !== "string") return type === undefined ? readErrorBody(wire) : { message: type, type };
  return { message, ...(type !== undefined && { type }) };
}

/** The types of errors the gateway makes, as the service that runs models calls them. */
const kinds: Readonly<Record<string, string>> = {
  invalid_request_error: "ValidationException",
  hooks_failed: "ValidationException",
  authentication_error: "UnrecognizedClientException",
  permission_error: "AccessDeniedException",
  not_found_error: "ResourceNotFoundException",
  timeout_error: "ModelTimeoutException",
  usage_limit_exceeded: "ServiceQuotaExceededException",
  rate_limit_error: "ThrottlingException",
  rate_limit_exceeded: "ThrottlingException",
  overloaded_error: "ServiceUnavailableException",
  service_unavailable: "ServiceUnavailableException",
  upstream_connection_error: "ServiceUnavailableException",
  upstream_invalid_response: "ModelErrorException",
  upstream_truncated: "ModelStreamErrorException",
};

/** Errors of vendors whose types say nothing here, by their status. */
const byStatus: Readonly<Record<number, string>> = {
  400: "ValidationException",
  401: "UnrecognizedClientException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  408: "ModelTimeoutException",
  422: "ValidationException",
  424: "ModelErrorException",
  429: "ThrottlingException",
  503: "ServiceUnavailableException",
  529: "ServiceUnavailableException",
};

function nameOf(type: unknown, status = 500): string {
  const usual = byStatus[status] ?? "InternalServerException";
  if (typeof type !== "string") return usual;
  if (/^[A-Za-z]+Exception$/.test(type)) return type.charAt(0).toUpperCase() + type.slice(1);
  return lookUp(kinds, type) ?? usual;
}

/** Exceptions a stream may hold. */
const inStreams: ReadonlySet<string> = new Set([
  "internalServerException",
  "modelStreamErrorException",
  "validationException",
  "throttlingException",
  "serviceUnavailableException",
]);

/** The frame that ends a stream which failed. */
function streamException({ type, message, status }: ErrorDetail): string {
  const name = nameOf(type, status);
  const small = name.charAt(0).toLowerCase() + name.slice(1);
  return exceptionFrame(inStreams.has(small) ? small : "modelStreamErrorException", JSON.stringify({ message }));
}

/** What is wrong with a call of a model, as AWS's clients look for it, in a body and in a stream, whatever the format of the call. */
export const awsModelErrors = { decodeError, ...awsErrors(nameOf), streamException };
