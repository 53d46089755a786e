import { CheckError, type CheckSubject, type CheckTarget } from "../../core/index.ts";

/** What somebody else is told of an exchange (guardrails.md section 7): without its headers, which hold credentials. */
export function told({ request, response, provider, requestType, metadata }: CheckSubject) {
  return {
    request: {
      json: request.json ?? {},
      text: request.text,
      isStreamingRequest: request.streams,
      isTransformed: request.transformed,
    },
    response: {
      json: response?.json ?? {},
      text: response?.text ?? "",
      statusCode: response?.status ?? null,
      isTransformed: response?.transformed ?? false,
    },
    provider,
    requestType,
    metadata,
  };
}

export const eventOf = (target: CheckTarget): string =>
  target === "request" ? "beforeRequestHook" : "afterRequestHook";

/** What an answer with a status that is no 2xx said. */
export function refusalOf(error: unknown): { readonly responseData?: unknown } {
  if (!(error instanceof CheckError) || error.label !== "HttpError") return {};
  const { data } = error;
  const said = typeof data === "object" && data !== null && "body" in data ? data.body : undefined;
  return typeof said === "object" && said !== null ? { responseData: said } : {};
}
