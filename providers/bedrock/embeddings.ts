import { isRecord, type OperationInput } from "../../core/provider-kit/index.ts";
import { invokePath } from "./claude.ts";
import { withBilledUnits, withCounts } from "./counts.ts";

type Wire = Readonly<Record<string, unknown>>;

/** In inputs that mix texts and images the address of an image stands by itself. */
function mixedInput(input: unknown): unknown {
  if (!isRecord(input) || !Array.isArray(input.content)) return input;
  return {
    ...input,
    content: input.content.map((part: unknown) =>
      isRecord(part) && isRecord(part.image_url) ? { ...part, image_url: part.image_url.url } : part,
    ),
  };
}

/** The fourth model knows no purpose for images: they are to be found, as texts are that come without one. */
function forFourth(wire: Wire): Wire {
  return {
    ...wire,
    ...(Array.isArray(wire.inputs) && { inputs: wire.inputs.map(mixedInput) }),
    ...(wire.input_type === "image" && { input_type: "search_document" }),
  };
}

/** A body as its host takes it: the model stands in the path, and base64 is not among the kinds of vectors. */
function cohereBody({ model, embedding_types: types, ...said }: Wire): Record<string, unknown> {
  const wire = /embed-v4/.test(String(model)) ? forFourth(said) : said;
  if (!Array.isArray(types)) return { ...wire };
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
