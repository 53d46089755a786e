import { type Fields, isRecord } from "../records.ts";

/**
 * Whether a citation names a place on the web: `{type: "url_citation", url, title, start_index, end_index}`, places counted from the
 * beginning of its text. Both APIs of OpenAI have those, and search models of others.
 */
export const isWebCitation = (citation: unknown): citation is Fields =>
  isRecord(citation) && citation.type === "url_citation" && typeof citation.url === "string";
