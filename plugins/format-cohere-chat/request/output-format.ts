import { type Fields, isRecord, leftovers, type ResponseFormat } from "../../../core/index.ts";
import type { Report } from "../fields.ts";

const formatFields = new Set(["type", "json_schema"]);

/** What the answer is to look like; undefined when it says something this file has no name for. */
export function decodeOutput(wire: Readonly<Fields>): ResponseFormat | undefined {
  const { type, json_schema: schema } = wire;
  if (leftovers(wire, formatFields)) return undefined;
  if (type === "text") return { type: "text" };
  if (type !== "json_object") return undefined;
  return isRecord(schema) ? { type: "json-schema", schema } : { type: "json" };
}

/** A schema is part of the JSON type here; its name is a label nobody needs. */
export function encodeOutput(format: ResponseFormat | undefined, report: Report): Fields | undefined {
  if (!format) return undefined;
  if (format.type !== "json-schema") return { type: format.type === "json" ? "json_object" : "text" };
  if (format.description !== undefined) report("response_format.description");
  return { type: "json_object", json_schema: format.schema };
}
