import { defineProvider } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

const rewritten = ({ input, encoding_format: _, ...wire }: Wire): Record<string, unknown> => ({
  ...wire,
  texts: Array.isArray(input) ? input : [input],
});

/** Vectors without anything around them. */
const normalised = (wire: Wire): Record<string, unknown> => {
  const { embeddings, ...rest } = wire;
  if (!Array.isArray(embeddings)) return { ...wire };
  return { ...rest, data: embeddings.map((embedding: unknown, index) => ({ object: "embedding", index, embedding })) };
};

export default defineProvider({
  name: "nomic",
  summary: "Nomic: embedding models.",
  baseUrl: "https://api-atlas.nomic.ai/v1",
  operations: {
    embed: {
      format: "openai-embeddings",
      path: "/embedding/text",
      drops: ["user"],
      renames: { dimensions: "dimensionality" },
      purposes: {
        field: "task_type",
        words: {
          query: "search_query",
          document: "search_document",
          classification: "classification",
          clustering: "clustering",
          // A question that looks for texts like it is embedded as they are.
          similarity: "search_document",
        },
      },
      rewrite: { when: ['"input"'], apply: rewritten },
      normalise: normalised,
    },
  },
});
