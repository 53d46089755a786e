import { defineProvider } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

const rewritten = ({ input, input_type: purpose, encoding_format: _, ...wire }: Wire): Record<string, unknown> => ({
  ...wire,
  texts: Array.isArray(input) ? input : [input],
  ...(purpose !== undefined && wire.task_type === undefined && { task_type: purpose }),
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
      rewrite: { when: ['"input"'], apply: rewritten },
      normalise: normalised,
    },
  },
});
