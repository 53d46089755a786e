import { type Fields, type TextPart, webCitationsIn } from "../../../core/index.ts";
import { isOwn } from "../fields.ts";

/** What clients are shown of the citations of a text: its own, or those of the web, which have no places in the text here. */
export const shownCitations = ({ citations = [], extra }: Pick<TextPart, "citations" | "extra">): readonly unknown[] =>
  isOwn(extra) ? citations : webCitationsIn(citations, 0).map(fromTheWeb);

const fromTheWeb = ({ url, title }: Readonly<Fields>): Fields => ({
  ...(typeof title === "string" && { title }),
  location: { web: { url } },
});
