import { type Fields, isRecord } from "../records.ts";

/**
 * Whether a citation names a place on the web: `{type: "url_citation", url, title, start_index, end_index}`, places counted from the
 * beginning of its text. Both APIs of OpenAI have those, and search models of others.
 */
export const isWebCitation = (citation: unknown): citation is Fields =>
  isRecord(citation) && citation.type === "url_citation" && typeof citation.url === "string";

/**
 * The citations of the web among those of a text, in the shape above, whoever wrote them: Anthropic's and Converse's are about a text as
 * a whole. `length` is that of the text, in UTF-16 units.
 */
export const webCitationsIn = (citations: readonly unknown[], length: number): Fields[] =>
  citations.flatMap((citation) => {
    if (isWebCitation(citation)) return [citation];
    const page = isRecord(citation) ? pageOf(citation) : undefined;
    if (typeof page?.url !== "string") return [];
    const { url, title } = page;
    const named = typeof title === "string" && title !== "" ? title : url;
    return [{ type: "url_citation", start_index: 0, end_index: length, url, title: named }];
  });

/** `{type: "web_search_result_location", url, title}` and `{location: {web: {url, domain}}, title}` */
function pageOf({ type, url, title, location }: Readonly<Fields>): Fields | undefined {
  if (type === "web_search_result_location") return { url, title };
  const web = isRecord(location) ? location.web : undefined;
  return isRecord(web) ? { url: web.url, title: title ?? web.domain } : undefined;
}
