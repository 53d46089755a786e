import { defineProvider, type ErrorDetail } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Numbers are what this vendor sends when no encoding is named; it has no word for them. */
function withoutFloat(wire: Wire): Record<string, unknown> {
  const { encoding_format: encoding, ...rest } = wire;
  return encoding === "base64" ? { ...wire } : rest;
}

/** What is read is all that is paid for, and the vendor tells the total alone. */
function withPromptTokens(wire: Record<string, unknown>): Record<string, unknown> {
  const { usage } = wire as { usage?: Wire };
  const total = usage?.total_tokens;
  return typeof total === "number" ? { ...wire, usage: { prompt_tokens: total, ...usage } } : wire;
}

/** `{detail: "text"}`; of lists of details their format makes more. */
function readError(_status: number, wire: unknown): ErrorDetail | undefined {
  const { detail } = (wire ?? {}) as { detail?: unknown };
  return typeof detail === "string" && detail !== "" ? { message: detail, type: "Invalid Request" } : undefined;
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
      purposes: { field: "input_type", words: { query: "query", document: "document" } },
      rewrite: { when: ['"encoding_format"'], apply: withoutFloat },
      normalise: withPromptTokens,
    },
    rerank: "voyage-rerank",
  },
  readError,
});
