import {
  compact,
  type EmbeddingRequest,
  type Fields,
  leftovers,
  objectAt,
  type PurposeWords,
  purposeIn,
  refuse,
} from "../../../core/index.ts";
import { extraOf, listAt, type Report, reportOthers, restore, textIn } from "../fields.ts";
import { decodeInput, encodeInput, inputFields, isImage } from "./input.ts";

/** What `encodeRequest` may report. */
export const drops: readonly string[] = ["user", "input_type"];

const requestFields = new Set(["model", "input_type", "output_dimension", "embedding_types", ...inputFields]);

/** Fields of this API which clients of the unified one may send as they are. */
const shared: ReadonlySet<string> = new Set(["truncate", "max_tokens", "embedding_types", "priority"]);

const purposes: PurposeWords = {
  query: "search_query",
  document: "search_document",
  classification: "classification",
  clustering: "clustering",
};

export function decodeRequest(body: unknown): EmbeddingRequest {
  const wire = objectAt(body, "");
  const { output_dimension: dimensions, embedding_types: types } = wire;
  if (dimensions !== undefined && dimensions !== null && typeof dimensions !== "number")
    refuse("output_dimension", "a number", dimensions);
  const encoding = encodingOf(types);
  const unread = leftovers(wire, requestFields) ?? {};
  // Vectors of small numbers, and several kinds at once, only this API has.
  if (types !== undefined && types !== null && !encoding) unread.embedding_types = types;
  const purpose = textIn(wire.input_type, "input_type");
  return {
    model: textIn(wire.model, "model") ?? "",
    input: decodeInput(wire),
    single: false,
    // That it is images is said by them.
    ...compact({ encoding, dimensions, inputType: purpose === "image" && isImage(wire) ? undefined : purpose }),
    ...extraOf(unread),
  };
}

function encodingOf(types: unknown): "float" | "base64" | undefined {
  if (types === undefined || types === null) return undefined;
  const [only, ...others] = listAt(types, "embedding_types");
  return (only === "float" || only === "base64") && others.length === 0 ? only : undefined;
}

/** Newer models insist on a purpose: what is embedded without one is to be found. */
export function encodeRequest(request: EmbeddingRequest, report: Report): Fields {
  const { model, input, single, encoding = "float", dimensions, inputType, user, extra } = request;
  if (user !== undefined) report("user");
  const unified = extra?.format === "openai-embeddings";
  reportOthers(extra, "", report, unified ? shared : undefined);
  const what = encodeInput(input, single);
  const purpose = inputType && purposeIn(purposes, inputType)?.toLowerCase();
  if (inputType && purpose === undefined) report("input_type");
  const wire: Fields = compact({
    model: model === "" ? undefined : model,
    ...what,
    input_type: purpose || (isImage(what) ? "image" : "search_document"),
    output_dimension: dimensions,
  });
  if (unified) for (const name of shared) if (Object.hasOwn(extra.fields, name)) wire[name] = extra.fields[name];
  const whole = restore(wire, extra);
  if (!Array.isArray(whole.embedding_types)) whole.embedding_types = [encoding];
  return whole;
}
