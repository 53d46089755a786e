import type { ErrorDetail } from "./error-detail.ts";
import type { ErrorRow } from "./error-table.ts";
import type { GatewayError } from "./gateway-error.ts";

type Body = Record<string, unknown>;

const openAiStyle = (
  message: string,
  type: string | null,
  param: string | null,
  code: string | number | null,
  details?: ErrorDetail["details"],
): Body => ({
  message,
  type,
  param,
  code,
  ...(details && { details }),
});

/** The body of an error the gateway made, by family (inference-api.md section 5.1); `family` where the endpoint has one. */
export function gatewayErrorBody(error: GatewayError, family: ErrorRow["family"] = error.row.family): Body {
  const { row, message, details } = error;
  switch (family) {
    case "N":
      return { message: "Not Found", ok: false };
    case "C":
      if (details.limit) return limitBody(error, details.limit);
      return { error: openAiStyle(message, row.type, details.param ?? null, row.wireCode ?? null) };
    case "E":
      return managementBody(error);
    case "F":
      return {
        status: "failure",
        error: { code: row.wireCode ?? null, message, field: details.field ?? null },
        message,
      };
    case "A":
    case "U": {
      const text = publicMessage(error);
      // Of this body, OpenAI's SDK shows its users the object `error` only.
      const lines = details.told ?? details.errors;
      const whole = lines ? `${text.replace(/\.$/, "")}: ${lines.join("; ")}` : text;
      return {
        status: "failure",
        message: text,
        ...(details.errors ? { errors: details.errors } : {}),
        error: openAiStyle(whole, row.type, details.param ?? null, row.wireCode ?? null, details.details),
      };
    }
  }
}

/** Family C with what it says beyond that of a limit (policies.md section 10.2). */
function limitBody({ message, row }: GatewayError, limit: Readonly<Record<string, unknown>>): Body {
  return { status: "failure", message, error: openAiStyle(message, row.type, null, row.wireCode ?? null, limit) };
}

/** One object for readers of either published shape (control-plane.md section 1.5). */
function managementBody(error: GatewayError): Body {
  const { row, details } = error;
  const message = error.code === "invalid_json" ? "The body is invalid JSON." : publicMessage(error);
  const code = row.family === "E" ? (row.wireCode ?? "AB04") : (managementCodes.get(row.status) ?? "AB04");
  const reason = details.reason === undefined ? {} : { reason: details.reason };
  return {
    success: false,
    ...(details.status && { status: details.status }),
    ...(details.errors && { errors: details.errors }),
    data: { message, errorCode: code },
    error: {
      ...openAiStyle(message, managementTypes.get(code) ?? "api_error", details.param ?? null, code),
      ...reason,
    },
  };
}

/** What an error that is not the management's own comes to there. */
const managementCodes: ReadonlyMap<number, string> = new Map([
  [400, "AB01"],
  [401, "AB05"],
  [402, "AB09"],
  [403, "AB03"],
  [404, "AB08"],
  [405, "AB01"],
  [408, "AB01"],
  [409, "AB07"],
  [413, "AB01"],
  [429, "AB06"],
]);

const managementTypes: ReadonlyMap<string, string> = new Map([
  ...["AB01", "AB02", "AB07", "AB08"].map((code) => [code, "invalid_request_error"] as const),
  ["AB03", "permission_error"],
  ["AB05", "authentication_error"],
  ["AB06", "rate_limit_error"],
  ["AB09", "quota_error"],
]);

/** What a caller may read of an error: faults of the gateway itself stay in its log, but a plugin's failure names it. */
export const publicMessage = ({ row, code, message }: GatewayError): string =>
  row.exception && code !== "plugin_failed" ? "Something went wrong" : message;

/** The body of an error a provider answered with, normalised (family B). */
export function upstreamErrorBody(provider: string, wire: unknown, detail: ErrorDetail | undefined): Body {
  const error = detail
    ? {
        ...openAiStyle(
          `${provider} error: ${detail.message}`,
          detail.type ?? null,
          detail.param ?? null,
          detail.code ?? null,
          detail.details,
        ),
        ...(detail.innererror && { innererror: detail.innererror }),
      }
    : openAiStyle(`Invalid response received from ${provider}: ${JSON.stringify(wire)}`, null, null, null);
  return { error, provider };
}
