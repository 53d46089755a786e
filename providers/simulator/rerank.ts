import { cohereErrors } from "./cohere-chat.ts";
import type { Dialect, Reply } from "./dialect.ts";
import { numberIn, Refusal, textIn, type Wire } from "./wire.ts";

/** Documents a search unit covers. */
const unit = 100;

/** Ranks by words: a document is as good as the part of the query's words that are in it. */
export const rerank: Dialect = { format: "cohere-rerank", reply, ...cohereErrors };

function reply(wire: Wire, digest: string): Reply {
  const documents: unknown[] = Array.isArray(wire.documents) ? wire.documents : [];
  if (documents.length === 0) throw new Refusal(400, "invalid request: list of documents must not be empty");
  const words = wordsOf(textIn(wire.query));
  const results = documents
    .map((document, index) => ({ index, relevance_score: scoreOf(words, wordsOf(textIn(document))) }))
    .sort((left, right) => right.relevance_score - left.relevance_score)
    .slice(0, numberIn(wire.top_n) ?? documents.length);
  const meta = { billed_units: { search_units: Math.ceil(documents.length / unit) } };
  return { whole: { id: digest.slice(0, 24), results, meta } };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function scoreOf(asked: readonly string[], said: readonly string[]): number {
  const found = new Set(said);
  return asked.length === 0 ? 0 : asked.filter((word) => found.has(word)).length / asked.length;
}
