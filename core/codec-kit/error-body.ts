import type { ErrorDetail } from "../errors/error-detail.ts";
import { type Fields, isRecord } from "./records.ts";

/**
 * Reads the error bodies that are common among vendors: `{error: {message, type, param, code}}`, the same without the
 * wrapper, `{error: "text"}`, `{message: "text"}`, `{detail: "text" | [{loc, msg}]}`, that as a message, and lists of those. Undefined when
 * it is none of them.
 */
export function readErrorBody(wire: unknown): ErrorDetail | undefined {
  if (Array.isArray(wire)) return wire.length > 0 ? readErrorBody(wire[0]) : undefined;
  if (!isRecord(wire)) return undefined;
  const { error, detail } = wire;
  if (isRecord(error)) return read(error) ?? { message: JSON.stringify(error) };
  if (typeof error === "string" && error !== "") return withDetails(messageOf(wire.message) ?? error, wire);
  return read(wire) ?? detailOf(detail);
}

function read(error: Readonly<Fields>): ErrorDetail | undefined {
  const { message: said, msg } = error;
  const message = messageOf(said) ?? messageOf(msg) ?? (isRecord(said) ? detailOf(said.detail)?.message : undefined);
  return message === undefined ? undefined : withDetails(message, error);
}

const messageOf = (value: unknown): string | undefined => {
  if (typeof value === "string" && value !== "") return value;
  if (Array.isArray(value) && value.length > 0) return value.map(String).join(", ");
  return undefined;
};

const withDetails = (message: string, { type, param, code, innererror }: Readonly<Fields>): ErrorDetail => ({
  message,
  ...(typeof type === "string" && { type }),
  ...(typeof param === "string" && { param }),
  ...((typeof code === "string" || typeof code === "number") && { code }),
  ...(isRecord(innererror) && { innererror }),
});

function detailOf(detail: unknown): ErrorDetail | undefined {
  if (typeof detail === "string" && detail !== "") return { message: detail };
  if (isRecord(detail)) return readErrorBody(detail) ?? { message: JSON.stringify(detail) };
  if (!Array.isArray(detail) || detail.length === 0) return undefined;
  const lines = detail.map(lineOf);
  return { message: lines.includes(undefined) ? JSON.stringify(detail) : lines.join(", ") };
}

/** `{loc: ["body", "n"], msg: "too big"}` in one line. */
function lineOf(item: unknown): string | undefined {
  if (typeof item === "string") return item;
  if (!isRecord(item) || !Array.isArray(item.loc)) return undefined;
  return `${item.loc.join(".")}: ${messageOf(item.msg) ?? JSON.stringify(item)}`;
}
