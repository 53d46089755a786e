import { createHash } from "node:crypto";
import type { Exchange, Walk } from "../../core/index.ts";

/**
 * Who this request comes from, as far as the fields tell, at this group of this config; undefined when none of the
 * fields has a value. A digest, so that what callers write is not kept.
 */
export function stickyKey(group: string, fields: readonly string[], walk: Walk): string | undefined {
  const { exchange, config } = walk;
  const values = fields.map((field) => fieldOf(field, exchange));
  if (values.every((value) => value === undefined)) return undefined;
  const parts = [exchange.principal?.id, config, group, fields, values.map((value) => value ?? "")];
  // JSON keeps parts apart, whatever characters they are made of.
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}

/** `metadata.thread`, `params.user`. Below metadata, a key may have dots in it. */
function fieldOf(field: string, exchange: Exchange): string | undefined {
  const dot = field.indexOf(".");
  const key = field.slice(dot + 1);
  switch (field.slice(0, dot)) {
    case "metadata":
      return textOf(exchange.metadata, key);
    case "params":
      return textOf(bodyOf(exchange), key);
    default:
      return undefined;
  }
}

function textOf(values: object, key: string): string | undefined {
  const value: unknown = Object.hasOwn(values, key) ? values[key as keyof typeof values] : undefined;
  return value === null || value === undefined || typeof value === "object" ? undefined : String(value);
}

/** The client's JSON body; a body that is not one has no fields. */
function bodyOf({ request }: Exchange): object {
  try {
    const json = request?.json;
    return typeof json === "object" && json !== null ? json : {};
  } catch {
    return {};
  }
}
