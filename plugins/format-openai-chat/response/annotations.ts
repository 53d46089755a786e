import { type Fields, isRecord, isWebCitation, webCitationsIn } from "../../../core/index.ts";

/**
 * What a text is cited from on the web, as it stands beside a message of this format: one level deeper. `before` is how much text of
 * the message stands before that of the citations, and `length` how much that is.
 */
export const annotationsOf = (citations: readonly unknown[], before: number, length: number): Fields[] =>
  webCitationsIn(citations, length).map(({ type, ...cited }) => {
    for (const name of ["start_index", "end_index"])
      if (typeof cited[name] === "number") cited[name] = cited[name] + before;
    return { type, url_citation: cited };
  });

/** The citations that stand beside a message; undefined where there are none, or others than those of the web. */
export function citationsIn(annotations: unknown): readonly Fields[] | undefined {
  if (!Array.isArray(annotations) || annotations.length === 0) return undefined;
  const citations = annotations.map(citationIn).filter((one) => one !== undefined);
  return citations.length === annotations.length ? citations : undefined;
}

function citationIn(annotation: unknown): Fields | undefined {
  if (!isRecord(annotation) || !isRecord(annotation.url_citation)) return undefined;
  const { type, url_citation: cited, ...more } = annotation;
  const citation = { ...cited, type };
  return isWebCitation(citation) && Object.keys(more).length === 0 ? citation : undefined;
}

/** Those that do not stand beside the message. */
export const otherCitations = (citations: readonly unknown[] = []): readonly unknown[] =>
  citations.some(isWebCitation) ? citations.filter((one) => !isWebCitation(one)) : citations;
