import { isDeepStrictEqual } from "node:util";
import { type Fields, isRecord, leftovers, type ResponseFormat } from "../../../core/index.ts";
import { camelled, type Report } from "../fields.ts";
import { readable } from "../json-schema.ts";
import { abilitiesOf } from "../model-version.ts";
import { asJsonSchema, cleaned, readJsonSchema } from "../schema.ts";

const names = ["responseMimeType", "responseJsonSchema", "responseSchema", "responseFormat"] as const;
export const outputFields: ReadonlySet<string> = new Set(names);

/** What the answer is to look like; undefined for types only this format has (`text/x.enum`). */
export function decodeOutput(config: Readonly<Fields>): ResponseFormat | undefined {
  const { responseMimeType: type, responseJsonSchema: json, responseSchema: own, responseFormat: formats } = config;
  if (formats !== undefined && formats !== null)
    return json === undefined && own === undefined && type === undefined ? decodeFormats(formats) : undefined;
  if (type === "text/plain") return { type: "text" };
  if (type !== undefined && type !== "application/json") return undefined;
  if (isRecord(json)) return { type: "json-schema", schema: readJsonSchema(json) };
  if (isRecord(own)) return { type: "json-schema", schema: asJsonSchema(own) };
  return type === undefined ? undefined : { type: "json" };
}

const textFields = new Set(["mimeType", "schema"]);

/**
 * The newer way to say so (@google/genai 3.3, `GenerationConfig.responseFormat`): a list of formats by kind, of which other vendors know
 * `{ text: { mimeType, schema } }`. The type is written as the enumeration of it, too (`APPLICATION_JSON`).
 */
function decodeFormats(formats: unknown): ResponseFormat | undefined {
  const [only, ...others] = Array.isArray(formats) ? formats : [formats];
  if (!isRecord(only) || !isRecord(only.text) || Object.keys(only).length > 1 || others.length > 0) return undefined;
  const text = camelled(only.text);
  const { mimeType: type, schema } = text;
  if (typeof type !== "string" || leftovers(text, textFields)) return undefined;
  switch (type.toLowerCase().replace("_", "/")) {
    case "text/plain":
      return schema === undefined ? { type: "text" } : undefined;
    case "application/json":
      return isRecord(schema) ? { type: "json-schema", schema: readJsonSchema(schema) } : { type: "json" };
    default:
      return undefined;
  }
}

export function writtenOutput(config: Readonly<Fields>): Fields {
  const written: Fields = {};
  for (const name of names) if (config[name] !== undefined) written[name] = config[name];
  return written;
}

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
