import { isDeepStrictEqual } from "node:util";
import { type Fields, isRecord, type ResponseFormat } from "../../../core/index.ts";
import type { Report } from "../fields.ts";
import { readable } from "../json-schema.ts";
import { abilitiesOf } from "../model-version.ts";
import { asJsonSchema, cleaned, readJsonSchema } from "../schema.ts";

const names = ["responseMimeType", "responseJsonSchema", "responseSchema"] as const;
export const outputFields: ReadonlySet<string> = new Set(names);

/** What the answer is to look like; undefined for types only this format has (`text/x.enum`). */
export function decodeOutput(config: Readonly<Fields>): ResponseFormat | undefined {
  const { responseMimeType: type, responseJsonSchema: json, responseSchema: own } = config;
  if (type === "text/plain") return { type: "text" };
  if (type !== undefined && type !== "application/json") return undefined;
  if (isRecord(json)) return { type: "json-schema", schema: readJsonSchema(json) };
  if (isRecord(own)) return { type: "json-schema", schema: asJsonSchema(own) };
  return type === undefined ? undefined : { type: "json" };
}

export const writtenOutput = (config: Readonly<Fields>): Fields =>
  Object.fromEntries(names.flatMap((name) => (config[name] === undefined ? [] : [[name, config[name]]])));

/** A client of this format gets its own writing back, as long as nobody changed what it says. */
export function encodeOutput(
  format: ResponseFormat | undefined,
  written: unknown,
  { model, hasFunctions }: { readonly model: string; readonly hasFunctions: boolean },
  report: Report,
): Fields {
  if (isRecord(written) && isDeepStrictEqual(decodeOutput(written), format)) return written;
  if (!format || format.type === "text") return {};
  const abilities = abilitiesOf(model);
  if (hasFunctions && !abilities.jsonBesideFunctions) {
    report("response_format");
    return {};
  }
  if (format.type !== "json-schema") return { responseMimeType: "application/json" };
  if (format.description !== undefined) report("response_format.description");
  const lost = () => report("response_format.json_schema");
  return {
    responseMimeType: "application/json",
    ...(abilities.jsonSchema
      ? { responseJsonSchema: readable(format.schema, lost) }
      : { responseSchema: cleaned(format.schema, lost) }),
  };
}
