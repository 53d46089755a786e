import type { ErrorDetail } from "../../errors/error-detail.ts";
import type { ClientHeaders } from "../../model/headers.ts";

/** Refusals of AWS: `{message}` or `{Message}`, and the type in a header, with an address behind it. */
export function readAwsError(_status: number, wire: unknown, headers?: ClientHeaders): ErrorDetail | undefined {
  if (typeof wire !== "object" || wire === null) return undefined;
  const { message, Message } = wire as { message?: unknown; Message?: unknown };
  const text = typeof message === "string" ? message : Message;
  if (typeof text !== "string") return undefined;
  const header = headers?.["x-amzn-errortype"];
  const type = typeof header === "string" ? header.replace(/:.*$/s, "").replace(/^.*#/, "") : undefined;
  return { message: text, ...(type !== undefined && { type }) };
}
