import { defineProvider } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Numbers are what this vendor sends when no encoding is named; it has no word for them. */
function withoutFloat(wire: Wire): Record<string, unknown> {
  const { encoding_format: encoding, ...rest } = wire;
  return encoding === "base64" ? { ...wire } : rest;
}

export default defineProvider({
  name: "voyage",
  summary: "Voyage AI: embeddings and reranking.",
  baseUrl: "https://api.voyageai.com/v1",
  operations: {
    embed: {
      format: "openai-embeddings",
      drops: ["user"],
      renames: { dimensions: "output_dimension" },
      rewrite: { when: ['"encoding_format"'], apply: withoutFloat },
    },
    rerank: "voyage-rerank",
  },
});
