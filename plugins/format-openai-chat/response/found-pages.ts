import { type AssistantPart, type Fields, isRecord, writeJson } from "../../../core/index.ts";

/** Pages that a search of the vendor's found, which stand in an item of the Responses API (Perplexity: `search_results`). */
export const pagesIn = (part: AssistantPart): readonly Fields[] => {
  const value = part.type === "opaque" && part.format === "openai-responses" && isRecord(part.value) ? part.value : {};
  if (value.type !== "search_results" || !Array.isArray(value.results)) return [];
  return value.results.filter(isRecord).filter(({ url }) => typeof url === "string");
};

/**
 * What clients are told of them beside the choices, as the vendor's own chat completions did: the text says `[1]` for the first. In a
 * stream that stood in the last frame (docs.perplexity.ai, Core Features of the Sonar API, and Streaming Citation Parsing).
 */
export const besides = (pages: readonly Fields[]): Fields =>
  pages.length === 0 ? {} : { citations: pages.map(({ url }) => url), search_results: pages };

/** The pages of a stream, for its last frame. */
export class FoundPages {
  #pages: readonly Fields[] = [];

  add(part: AssistantPart): void {
    const pages = pagesIn(part);
    if (pages.length > 0) this.#pages = [...this.#pages, ...pages];
  }

  /** The members to stand behind others; nothing where nothing was found. */
  get members(): string {
    return this.#pages.length === 0 ? "" : `,${writeJson(besides(this.#pages)).slice(1, -1)}`;
  }
}
