import { defineProvider, type OperationInput } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Words = NonNullable<Extract<OperationInput, object>["purposes"]>["words"];

/** The vendor has another name for how vectors come, and sends numbers where nothing is said: base64 is made of those. */
const withoutEncoding = ({ encoding_format: _, ...wire }: Wire): Record<string, unknown> => wire;

/** Each generation of models has words of its own for what vectors are for. */
const embedding = (generation: RegExp, words: Words, ...more: readonly string[]): OperationInput => ({
  format: "openai-embeddings",
  serves: (model) => generation.test(model),
  drops: ["user", ...more],
  purposes: { field: "task", words },
  rewrite: { when: ['"encoding_format"'], apply: withoutEncoding },
});

const words: Words = {
  query: "retrieval.query",
  document: "retrieval.passage",
  similarity: "text-matching",
};

export default defineProvider({
  name: "jina",
  summary: "Jina AI: embedding models and rerankers.",
  baseUrl: "https://api.jina.ai/v1",
  operations: {
    embed: [
      embedding(/embeddings-v2/, {}, "dimensions"),
      embedding(/embeddings-v3/, { ...words, classification: "classification", clustering: "separation" }),
      embedding(/embeddings-v4/, words),
      embedding(/(?:)/, { ...words, classification: "classification", clustering: "clustering" }),
    ],
    rerank: "jina-rerank",
  },
});
