import {
  type Extra,
  type Fields,
  isRecord,
  ownFields,
  type RerankDocument,
  refuse,
  reportForeign,
} from "../../core/index.ts";

/** The gateway's own shape (inference-api.md section 15.2): what clients of all vendors may speak. */
export const unifiedName = "rerank";

/** Takes the public name of a request field that cannot be carried. */
export type Report = (dropped: string) => void;

/** Fields a vendor takes although they have no canonical name: its own, and those the unified request has for it. */
export function takenFields(name: string, takes: readonly string[], extra: Extra | undefined, report: Report): Fields {
  if (extra?.format !== unifiedName || name === unifiedName) {
    reportForeign(name, extra, "", report);
    return { ...ownFields(name, extra) };
  }
  const taken: Fields = {};
  for (const [field, value] of Object.entries(extra.fields))
    if (takes.includes(field)) taken[field] = value;
    else report(field);
  return taken;
}

/** The text of a document. What else it says is reported, once for each field. */
export function textOf(document: RerankDocument, at: number, report: Report): string {
  if (typeof document === "string") return document;
  const { text, ...more } = document;
  if (typeof text !== "string") refuse(`documents[${at}].text`, "a string", text);
  for (const field of Object.keys(more)) report(`documents.${field}`);
  return text;
}

/** What results repeat, in the unified shape. */
export const shownDocument = (document: unknown): Readonly<Fields> | undefined =>
  typeof document === "string" ? { text: document } : isRecord(document) ? document : undefined;

/** The value some steps inside an object. */
export const valueAt = (wire: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), wire);
