import { type Fields, isRecord, type TextPart, unsigned, type WireExtra, webCitationsIn } from "../../../core/index.ts";
import { formatName, writtenIn } from "../fields.ts";

/**
 * The citations of a text part, if they are of this format. Where nobody says so, their own shape decides: here every kind of citation is a
 * `…_location`. Of kinds that are none whoever reads them says so (`citationMark`).
 */
export function ownCitations({
  citations,
  extra,
}: Pick<TextPart, "citations" | "extra">): readonly unknown[] | undefined {
  if (!citations || (extra && extra.format !== formatName)) return undefined;
  return writtenIn(extra)[mark] === true || citations.every(isLocation) ? citations : undefined;
}

/** Its presence says whose citations are, not what they are: blocks of other clients have the shape of this format's. */
const mark = "own_citations";

/** What says of a text that its citations are of this format, where some are of a kind that nobody here knows. */
export function citationMark(citations: readonly unknown[], fields: Readonly<Fields> = {}): { extra?: WireExtra } {
  if (citations.every(isLocation)) return {};
  return { extra: { format: formatName, fields, written: { [mark]: true } } };
}

const isLocation = (citation: unknown) =>
  isRecord(citation) && typeof citation.type === "string" && citation.type.endsWith("_location");

/**
 * What clients are shown of the citations of a text: its own, or what is cited from the web, as results of a search. These have
 * no places here, they are about a text as a whole; and a proof that only the vendor can give, in whose place it is said that
 * there is none.
 */
export function shownCitations(part: Pick<TextPart, "citations" | "extra">): readonly unknown[] | undefined {
  const own = ownCitations(part);
  if (own) return own;
  const web = webCitationsIn(part.citations ?? [], 0).map(searchResult);
  return web.length > 0 ? web : undefined;
}

const searchResult = ({ url, title }: Readonly<Fields>): Fields => ({
  type: "web_search_result_location",
  url,
  title: typeof title === "string" ? title : null,
  cited_text: "",
  encrypted_index: unsigned,
});

/** Those among them that the vendor can verify. */
export const provenCitations = (citations: readonly unknown[]): readonly unknown[] =>
  citations.filter((one) => !(isRecord(one) && one.encrypted_index === unsigned));
