import { isRecord, type TextPart } from "../../core/index.ts";

/**
 * Citations are about a message here and name the text they are in; the canonical model keeps them with that text, as
 * the vendor wrote them. Those about a plan or about thinking belong to no text.
 */

/** The content item a citation is about; "first" is the first text, undefined that it is about none. */
export function citedContent(citation: unknown): number | "first" | undefined {
  if (!isRecord(citation)) return undefined;
  const { type, content_index: index } = citation;
  if (typeof type === "string" && type !== "TEXT_CONTENT") return undefined;
  return typeof index === "number" ? index : "first";
}

/** The citations of a text if they are of this format: their own shape says so. Here each names its sources. */
export const ownCitations = ({ citations }: Pick<TextPart, "citations">): readonly unknown[] =>
  citations?.every((one) => isRecord(one) && Array.isArray(one.sources)) ? citations : [];

export const citationList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isRecord(value) ? [value] : [];
