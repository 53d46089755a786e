import {
  jsonOr,
  type LogBody,
  type LogEntry,
  type LogObject,
  type LogPhase,
  type LogRow,
} from "../../../core/index.ts";

/** An entry as `GET /logs/{logId}` answers it (control-plane.md section 14.3): bodies are read here, and only here. */
export function shownEntry({ row, object = remembered(row) }: LogEntry): Readonly<Record<string, unknown>> {
  const { request, response, finalUntransformedRequest, transformedRequest, originalResponse, ...others } = object;
  const { variables, ...rest } = others;
  return {
    _id: row.id,
    request: shownPhase(request),
    response: shownPhase(response),
    organisation_id: row.organisation_id,
    created_at: row.created_at,
    metrics: row,
    ...(finalUntransformedRequest && { finalUntransformedRequest: shownPhase(finalUntransformedRequest) }),
    ...(transformedRequest && { transformedRequest: shownPhase(transformedRequest) }),
    ...(originalResponse && { originalResponse: shownPhase(originalResponse) }),
    ...(variables?.body && { variables: shownBody(variables.body) }),
    ...rest,
  };
}

/** What a row remembers of an object that is older than objects are kept. */
const remembered = (row: LogRow): LogObject => ({
  request: { url: row.request_url, method: row.request_method, gatewayHeaders: {} },
  response: { status: row.response_status_code, responseTime: row.response_time, lastUsedOptionJsonPath: "config" },
  log_format: "v1",
});

const shownPhase = ({ body, ...phase }: LogPhase): Readonly<Record<string, unknown>> => ({
  ...phase,
  ...(body && { body: shownBody(body) }),
});

/** An object as it was; what is none, or was cut, as text. */
function shownBody({ bytes, truncated }: LogBody): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const json = truncated ? undefined : jsonOr(text);
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json;
  return { text, ...(truncated && { truncated: true }) };
}
