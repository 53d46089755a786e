import { type Fields, isRecord, type TextPart, webCitationsIn } from "../../core/index.ts";

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

/** What clients are shown of them: those, or what is cited from the web, of a text that is an item of the content. */
export function shownCitations(part: Pick<TextPart, "citations">, text: string, item: number): readonly unknown[] {
  const own = ownCitations(part);
  return own.length > 0 ? own : fromTheWeb(part.citations ?? [], text, item);
}

/** One citation for each span that is cited, with all that it was taken from: its text is not repeated for each of its sources. */
function fromTheWeb(citations: readonly unknown[], text: string, item: number): Fields[] {
  const spans = new Map<
    string,
    { readonly start: number; readonly end: number; readonly sources: Map<string, Fields> }
  >();
  for (const { url, title, start_index, end_index } of webCitationsIn(citations, text.length)) {
    const start = typeof start_index === "number" ? start_index : 0;
    const end = typeof end_index === "number" ? end_index : text.length;
    const span = spans.get(`${start} ${end}`) ?? { start, end, sources: new Map() };
    spans.set(`${start} ${end}`, span);
    const id = String(url);
    const document = { id, url, ...(typeof title === "string" && { title }) };
    if (!span.sources.has(id)) span.sources.set(id, { type: "document", id, document });
  }
  return Array.from(spans.values(), ({ start, end, sources }) => ({
    start,
    end,
    text: text.slice(start, end),
    sources: [...sources.values()],
    content_index: item,
    type: "TEXT_CONTENT",
  }));
}

export const citationList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isRecord(value) ? [value] : [];
