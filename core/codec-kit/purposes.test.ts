import { expect, it } from "vitest";
import { purposeIn } from "./purposes.ts";

const words = { query: "RETRIEVAL_QUERY", document: "RETRIEVAL_DOCUMENT", clustering: "CLUSTERING" };

it.each([
  ["search_query", "RETRIEVAL_QUERY"],
  ["RETRIEVAL_QUERY", "RETRIEVAL_QUERY"],
  ["retrieval.passage", "RETRIEVAL_DOCUMENT"],
  ["GENERIC_INDEX", "RETRIEVAL_DOCUMENT"],
  ["separation", "CLUSTERING"],
  ["classification", undefined],
  ["CODE_RETRIEVAL_QUERY", "CODE_RETRIEVAL_QUERY"],
  ["toString", "toString"],
])("says %s as %s", (purpose, word) => {
  expect(purposeIn(words, purpose)).toBe(word);
});
