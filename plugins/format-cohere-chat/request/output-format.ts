import { type Fields, isRecord, leftovers, type ResponseFormat } from "../../../core/index.ts";
import type { Report } from "../fields.ts";

/** What a schema is called: in the reference, and in the guide ("Structured Outputs", of this version of the API as well). */
const spellings = ["json_schema", "schema"] as const;
export type Spelling = (typeof spellings)[number];

const formatFields: ReadonlySet<string> = new Set(["type", ...spellings]);

/** How a client spells the schema, where it has one. */
export const spellingIn = (wire: unknown): Spelling | undefined =>
  isRecord(wire) ? spellings.find((name) => isRecord(wire[name])) : undefined;

/** What the answer is to look like; undefined when it says something this file has no name for. */
export function decodeOutput(wire: Readonly<Fields>): ResponseFormat | undefined {
  const { type, json_schema: named, schema = named } = wire;
  if (leftovers(wire, formatFields) || (isRecord(named) && schema !== named)) return undefined;
  if (type === "text") return { type: "text" };
  if (type !== "json_object") return undefined;
  return isRecord(schema) ? { type: "json-schema", schema } : { type: "json" };
}

/** A schema is part of the JSON type here; its name is a label nobody needs. */
export function encodeOutput(
  format: ResponseFormat | undefined,
  report: Report,
  spelling: Spelling = "json_schema",
): Fields | undefined {
  if (!format) return undefined;
  if (format.type !== "json-schema") return { type: format.type === "json" ? "json_object" : "text" };
  if (format.description !== undefined) report("response_format.description");
  return { type: "json_object", [spelling]: format.schema };
}
