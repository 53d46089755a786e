import { isRecord, type TextPart } from "../../../core/index.ts";
import { formatName } from "../fields.ts";

/**
 * The citations of a text part, if they are of this format. Stream chunks carry citations without naming their format,
 * so their own shape decides: here every kind of citation is a `…_location`.
 */
export function ownCitations({
  citations,
  extra,
}: Pick<TextPart, "citations" | "extra">): readonly unknown[] | undefined {
  if (!citations || (extra && extra.format !== formatName)) return undefined;
  return citations.every(isLocation) ? citations : undefined;
}

const isLocation = (citation: unknown) =>
  isRecord(citation) && typeof citation.type === "string" && citation.type.endsWith("_location");
