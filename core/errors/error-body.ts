import type { ErrorDetail } from "../model/error-detail.ts";
import type { GatewayError } from "./gateway-error.ts";

type Body = Record<string, unknown>;

const openAiStyle = (
  message: string,
  type: string | null,
  param: string | null,
  code: string | number | null,
): Body => ({
  message,
  type,
  param,
  code,
});

/** The body of an error the gateway made, by family (inference-api.md section 5.1). */
export function gatewayErrorBody(error: GatewayError): Body {
  const { row, message, details } = error;
  switch (row.family) {
    case "N":
      return { message: "Not Found", ok: false };
    case "C":
      return { error: openAiStyle(message, row.type, details.param ?? null, row.wireCode ?? null) };
    case "E":
      return { success: false, data: { message, errorCode: row.wireCode ?? "AB04" } };
    case "F":
      return {
        status: "failure",
        error: { code: row.wireCode ?? null, message, field: details.field ?? null },
        message,
      };
    case "A":
    case "U": {
      const text = publicMessage(error);
      return {
        status: "failure",
        message: text,
        ...(details.errors ? { errors: details.errors } : {}),
        error: openAiStyle(text, row.type, details.param ?? null, row.wireCode ?? null),
      };
    }
  }
}

/** What a caller may read of an error: faults of the gateway itself stay in its log, but a plugin's failure names it. */
export const publicMessage = ({ row, code, message }: GatewayError): string =>
  row.exception && code !== "plugin_failed" ? "Something went wrong" : message;

/** The body of an error a provider answered with, normalised (family B). */
export function upstreamErrorBody(provider: string, wire: unknown, detail: ErrorDetail | undefined): Body {
  const error = detail
    ? openAiStyle(
        `${provider} error: ${detail.message}`,
        detail.type ?? null,
        detail.param ?? null,
        detail.code ?? null,
      )
    : openAiStyle(`Invalid response received from ${provider}: ${JSON.stringify(wire)}`, null, null, null);
  return { error, provider };
}
