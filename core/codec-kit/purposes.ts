import type { Purpose, PurposeWords } from "../model/embedding.ts";
import { lookUp } from "./records.ts";

/** The words of vendors for what vectors are for, in lower case. */
const purposes: Readonly<Record<string, Purpose>> = {
  query: "query",
  search_query: "query",
  retrieval_query: "query",
  "retrieval.query": "query",
  generic_retrieval: "query",
  document: "document",
  passage: "document",
  search_document: "document",
  retrieval_document: "document",
  "retrieval.passage": "document",
  generic_index: "document",
  classification: "classification",
  clustering: "clustering",
  separation: "clustering",
  similarity: "similarity",
  semantic_similarity: "similarity",
  "text-matching": "similarity",
};

/** A purpose in the words of a vendor: undefined where it has none, and as it came where nobody knows it. */
export function purposeIn(words: PurposeWords, purpose: string): string | undefined {
  const known = lookUp(purposes, purpose.toLowerCase());
  return known === undefined ? purpose : words[known];
}
