import {
  compact,
  extraIn,
  type Fields,
  isRecord,
  leftovers,
  type RerankDocument,
  type RerankRequest,
  refuse,
  reportOnce,
} from "../../core/index.ts";
import { type Report, takenFields, textOf } from "./fields.ts";

/** How a vendor writes a request whose fields all stand at the top. */
export interface FlatRequest {
  readonly name: string;
  readonly topN: string;
  readonly returnDocuments?: string;
  readonly maxTokensPerDoc?: string;
  /** Fields of the unified request that are there for this vendor. */
  readonly takes: readonly string[];
  /** Documents are texts, objects, or either as the client wrote them. */
  readonly documents: "texts" | "objects" | "either";
}

type Named = "topN" | "returnDocuments" | "maxTokensPerDoc";

const checks = {
  topN: ["an integer of 1 or more", (value: unknown) => Number.isInteger(value) && Number(value) >= 1],
  returnDocuments: ["true or false", (value: unknown) => typeof value === "boolean"],
  maxTokensPerDoc: ["an integer of 1 or more", (value: unknown) => Number.isInteger(value) && Number(value) >= 1],
} as const;

const named: readonly Named[] = ["topN", "returnDocuments", "maxTokensPerDoc"];

export function decodeFlat(flat: FlatRequest, body: unknown): RerankRequest {
  const wire = isRecord(body) ? body : refuse("body", "an object", body);
  const known = new Set(["model", "query", "documents"]);
  const settings: Fields = {};
  for (const name of named) {
    const field = flat[name];
    if (field === undefined) continue;
    known.add(field);
    const value = wire[field];
    const [accepted, fits] = checks[name];
    if (value === undefined || value === null) continue;
    settings[name] = fits(value) ? value : refuse(field, accepted, value);
  }
  return {
    model: typeof wire.model === "string" && wire.model !== "" ? wire.model : refuse("model", "a string", wire.model),
    query: typeof wire.query === "string" ? wire.query : refuse("query", "a string", wire.query),
    documents: documentsIn(wire.documents),
    ...settings,
    ...extraIn(flat.name, leftovers(wire, known)),
  };
}

export function documentsIn(value: unknown): RerankDocument[] {
  if (!Array.isArray(value) || value.length === 0) refuse("documents", "a list with at least one document", value);
  return value.map((one: unknown, at) =>
    typeof one === "string" || isRecord(one) ? one : refuse(`documents[${at}]`, "a text or an object with one", one),
  );
}

export function encodeFlat(flat: FlatRequest, request: RerankRequest, report: Report): Fields {
  const told = reportOnce(report);
  const { model, query, documents, extra } = request;
  const settings: Fields = {};
  for (const name of named) {
    const field = flat[name];
    // Documents that a vendor does not repeat are put into the answer by the client's format.
    if (field !== undefined) settings[field] = request[name];
    else if (name === "maxTokensPerDoc" && request[name] !== undefined) told("max_tokens_per_doc");
  }
  return {
    model,
    query,
    documents: documents.map((document, at) => documentFor(flat, document, at, told)),
    ...compact(settings),
    ...takenFields(flat.name, flat.takes, extra, told),
  };
}

function documentFor(flat: FlatRequest, document: RerankDocument, at: number, report: Report): RerankDocument {
  if (flat.documents === "either") return document;
  if (flat.documents === "texts") return textOf(document, at, report);
  return typeof document === "string" ? { text: document } : document;
}
