import type { OperationInput } from "../../core/provider-kit/index.ts";
import { invokePath } from "./claude.ts";
import { withBilledUnits, withCounts } from "./counts.ts";

/** A body as its host takes it: the model stands in the path, and base64 is not among the kinds of vectors. */
function cohereBody({ model: _, embedding_types: types, ...wire }: Readonly<Record<string, unknown>>) {
  if (!Array.isArray(types)) return wire;
  return { ...wire, embedding_types: [...new Set(types.map((type) => (type === "base64" ? "float" : type)))] };
}

/** Vectors are made by models of several makers, each in its own format (providers.md section 9.8). */
export const embeddings: readonly OperationInput[] = [
  { format: "bedrock-titan-embeddings", serves: (model) => model.includes("titan-embed") },
  {
    format: "bedrock-nova-embeddings",
    serves: (model) => model.includes("amazon.nova"),
    normalise: withCounts,
  },
  {
    format: "cohere-embeddings",
    serves: (model) => model.includes("cohere.embed"),
    path: ({ model }) => invokePath({ model, stream: false }),
    rewrite: { when: ["{"], apply: cohereBody },
    normalise: withBilledUnits,
  },
];
