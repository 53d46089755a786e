import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "jina",
  summary: "Jina AI: embedding models and rerankers.",
  baseUrl: "https://api.jina.ai/v1",
  operations: {
    embed: {
      format: "openai-embeddings",
      purposes: {
        field: "task",
        words: {
          query: "retrieval.query",
          document: "retrieval.passage",
          classification: "classification",
          clustering: "separation",
          similarity: "text-matching",
        },
      },
    },
    rerank: "jina-rerank",
  },
});
