import { type Fields, isWebCitation, type TextPart } from "../../../core/index.ts";
import { isOwn } from "../fields.ts";

/** What clients are shown of the citations of a text: its own, or those of the web, which have no places in the text here. */
export const shownCitations = ({ citations = [], extra }: Pick<TextPart, "citations" | "extra">): readonly unknown[] =>
  isOwn(extra) ? citations : citations.filter(isWebCitation).map(fromTheWeb);

const fromTheWeb = ({ url, title }: Readonly<Fields>): Fields => ({
  ...(typeof title === "string" && { title }),
  location: { web: { url } },
});
