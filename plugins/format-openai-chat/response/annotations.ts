import { type Fields, isRecord } from "../../../core/index.ts";

/**
 * What a text is cited from on the web, as it stands beside a message of this format; the Responses API has the same fields one level
 * up. `before` is how much text of the message stands before that of the citations.
 */
export const annotationsOf = (citations: readonly unknown[], before: number): Fields[] =>
  citations.filter(isOfWeb).map(({ type, ...cited }) => {
    for (const name of ["start_index", "end_index"])
      if (typeof cited[name] === "number") cited[name] = cited[name] + before;
    return { type, url_citation: cited };
  });

const isOfWeb = (citation: unknown): citation is Fields =>
  isRecord(citation) && citation.type === "url_citation" && typeof citation.url === "string";
