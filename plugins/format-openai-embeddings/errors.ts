import type { ErrorDetail } from "../../core/index.ts";
import { compact, type Fields, isRecord } from "./fields.ts";

/** Reads `{error: {message, type, param, code}}`, the same without the wrapper, `{error: "text"}`, `{detail: "text"}`. */
export function decodeError(wire: unknown): ErrorDetail | undefined {
  if (Array.isArray(wire)) return wire.length > 0 ? decodeError(wire[0]) : undefined;
  if (!isRecord(wire)) return undefined;
  const { error, message, detail } = wire;
  if (isRecord(error)) return withDetails(error.message, error) ?? { message: JSON.stringify(error) };
  if (typeof error === "string") return withDetails(message, wire) ?? withDetails(error, wire);
  return withDetails(message, wire) ?? withDetails(detail, {}) ?? validation(detail);
}

function withDetails(message: unknown, { type, param, code }: Readonly<Fields>): ErrorDetail | undefined {
  if (typeof message !== "string" || message === "") return undefined;
  return {
    message,
    ...compact({
      type: typeof type === "string" ? type : undefined,
      param: typeof param === "string" ? param : undefined,
      code: typeof code === "string" || typeof code === "number" ? code : undefined,
    }),
  };
}

const validation = (detail: unknown): ErrorDetail | undefined =>
  isRecord(detail) || (Array.isArray(detail) && detail.length > 0) ? { message: JSON.stringify(detail) } : undefined;
