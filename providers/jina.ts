import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "jina",
  summary: "Jina AI: embedding models and rerankers.",
  baseUrl: "https://api.jina.ai/v1",
  operations: { embed: "openai-embeddings", rerank: "jina-rerank" },
});
