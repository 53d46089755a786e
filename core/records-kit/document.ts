import { createHash } from "node:crypto";
import type { CollectionShape, Scalar } from "../services/records.ts";
import { invalid, largestDocument } from "./checks.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A document as the text that is kept, and as it will be read again. */
export function written(collection: string, document: object): { readonly json: string; readonly read: Fields } {
  const json = jsonOf(collection, document);
  // Half of the characters may be worth three bytes or more, so only long texts are measured.
  if (json.length > largestDocument / 4 && Buffer.byteLength(json) > largestDocument)
    throw invalid(`${collection}: the document is too large: ${Buffer.byteLength(json)} bytes of ${largestDocument}`);
  return { json, read: JSON.parse(json) as Fields };
}

function jsonOf(collection: string, document: object): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(document);
  } catch (cause) {
    throw invalid(`${collection}: the document is not JSON`, cause);
  }
  if (json?.startsWith("{")) return json;
  throw invalid(`${collection}: a document is an object with fields`);
}

export const documentOf = (json: string): Fields => JSON.parse(json) as Fields;

export const isScalar = (value: unknown): value is Scalar =>
  typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));

/** What a document is found by, as `RecordRow.terms` has it. */
export const termsOf = ({ indexes }: CollectionShape, document: Fields): string[] =>
  indexes.flatMap((field) => {
    const value = own(document, field);
    return isScalar(value) ? [termOf(field, value)] : [];
  });

export const termOf = (field: string, value: Scalar): string => short(field, JSON.stringify(value));

/** What a document alone may have, as `RecordRow.claims` has it. */
export const claimsOf = ({ unique }: CollectionShape, document: Fields): string[] =>
  unique.flatMap((group) => {
    const values = group.map((field) => own(document, field));
    return values.every(isScalar) ? [short(group.join(), JSON.stringify(values))] : [];
  });

/** The fields a claim is about. */
export const fieldsOf = (claim: string): string[] => (/^[^=#]*/.exec(claim)?.[0] ?? "").split(",");

const own = (document: Fields, field: string): unknown =>
  Object.hasOwn(document, field) ? document[field] : undefined;

/** Indexes have room for short texts only: of a long one, its digest stands for it. */
const longestPlain = 200;

const short = (fields: string, json: string): string =>
  json.length <= longestPlain ? `${fields}=${json}` : `${fields}#${createHash("sha256").update(json).digest("hex")}`;
