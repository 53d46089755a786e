import type { ErrorDetail } from "../../core/index.ts";
import { compact, type Fields, isRecord } from "./extra.ts";

/**
 * Reads the error bodies of vendors that speak this format: `{error: {message, type, param, code}}`, the same without
 * the wrapper, `{error: "text"}`, `{detail: "text" | [{loc, msg}]}`, and lists of those.
 */
export function decodeError(wire: unknown): ErrorDetail | undefined {
  if (Array.isArray(wire)) return wire.length > 0 ? decodeError(wire[0]) : undefined;
  if (!isRecord(wire)) return undefined;
  const { error, detail } = wire;
  if (isRecord(error)) return read(error) ?? { message: JSON.stringify(error) };
  if (typeof error === "string" && error !== "") return withDetails(messageOf(wire.message) ?? error, wire);
  return read(wire) ?? detailOf(detail);
}

function read(error: Readonly<Fields>): ErrorDetail | undefined {
  const message = messageOf(error.message) ?? messageOf(error.msg);
  return message === undefined ? undefined : withDetails(message, error);
}

const messageOf = (value: unknown): string | undefined => {
  if (typeof value === "string" && value !== "") return value;
  if (Array.isArray(value) && value.length > 0) return value.map(String).join(", ");
  return undefined;
};

function withDetails(message: string, { type, param, code }: Readonly<Fields>): ErrorDetail {
  return {
    message,
    ...compact({
      type: typeof type === "string" ? type : undefined,
      param: typeof param === "string" ? param : undefined,
      code: typeof code === "string" || typeof code === "number" ? code : undefined,
    }),
  };
}

function detailOf(detail: unknown): ErrorDetail | undefined {
  if (typeof detail === "string" && detail !== "") return { message: detail };
  if (isRecord(detail)) return decodeError(detail);
  if (!Array.isArray(detail) || detail.length === 0) return undefined;
  const lines = detail.map((item) => {
    if (!isRecord(item)) return String(item);
    const place = Array.isArray(item.loc) ? `${item.loc.join(".")}: ` : "";
    return `${place}${messageOf(item.msg) ?? JSON.stringify(item)}`;
  });
  return { message: lines.join(", ") };
}

/** The body of an error inside a stream. */
export const encodeErrorFrame = ({ message, type, param, code }: ErrorDetail): string =>
  `data: ${JSON.stringify({ error: { message, type: type ?? null, param: param ?? null, code: code ?? null } })}\n\n`;
