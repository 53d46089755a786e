import {
  compact,
  type EmbeddingResponse,
  type EncodeContext,
  type Fields,
  isRecord,
  leftovers,
  ownFields,
  raise,
  readErrorBody,
  tokenCount,
  totalOf,
  type Usage,
} from "../../../core/index.ts";
import { extraOf, formatName } from "../fields.ts";

const answerFields = new Set(["embeddings"]);

/** The kinds of vectors, those first which everybody knows. */
const kinds = ["float", "base64", "int8", "uint8", "binary", "ubinary"] as const;

/** Vectors by kind, or just a list of them. Of several kinds the first everybody knows counts; the rest is kept. */
export function decodeResponse(body: unknown): EmbeddingResponse {
  const wire = isRecord(body) ? body : {};
  const { embeddings } = wire;
  const byKind = isRecord(embeddings) ? embeddings : { float: embeddings };
  const kind = kinds.find((one) => Array.isArray(byKind[one]));
  const vectors: unknown = kind && byKind[kind];
  if (!kind || !Array.isArray(vectors))
    raise("upstream_invalid", `The answer holds no embeddings: ${readErrorBody(body)?.message ?? "they are missing"}`);
  const { [kind]: _, ...others } = byKind;
  const kept = { ...leftovers(wire, answerFields), ...(Object.keys(others).length > 0 && { embeddings: others }) };
  return {
    data: vectors.map((vector, index) => ({ index, vector: checked(vector, index) })),
    ...compact({ usage: readUsage(wire) }),
    ...extraOf(kept),
  };
}

function checked(vector: unknown, index: number): readonly number[] | string {
  if (typeof vector === "string") return vector;
  if (Array.isArray(vector) && vector.every((one) => typeof one === "number")) return vector;
  return raise("upstream_invalid", `The embedding ${index} is neither a list of numbers nor base64.`);
}

/** What was billed is all the vendor counts; tokens of images beside those of texts. */
export function readUsage(wire: unknown): Usage | undefined {
  const billed = isRecord(wire) && isRecord(wire.meta) ? wire.meta.billed_units : undefined;
  if (!isRecord(billed)) return undefined;
  const imageTokens = tokenCount(billed.image_tokens);
  const inputTokens = totalOf(tokenCount(billed.input_tokens), imageTokens);
  return inputTokens === undefined ? undefined : { inputTokens, ...compact({ inputImageTokens: imageTokens }) };
}

export function encodeResponse(response: EmbeddingResponse, context: EncodeContext): Fields {
  const { embeddings: others, ...more } = ownFields(formatName, response.extra);
  const data = [...response.data].sort((left, right) => left.index - right.index);
  const short = asksForBase64(context.asked?.embedding_types);
  const kind = short || (short === undefined && data.some(({ vector }) => typeof vector === "string"));
  const tokens = response.usage?.inputTokens;
  return {
    id: context.id,
    response_type: "embeddings_by_type",
    embeddings: {
      [kind ? "base64" : "float"]: data.map(({ vector }) => (kind ? base64Of(vector) : numbersOf(vector))),
      ...(isRecord(others) && others),
    },
    ...(tokens !== undefined && { meta: { billed_units: { input_tokens: tokens } } }),
    ...more,
  };
}

/** Undefined when the client did not say, or said something other vendors cannot do. */
function asksForBase64(types: unknown): boolean | undefined {
  if (!Array.isArray(types)) return undefined;
  if (types.includes("float")) return false;
  return types.includes("base64") ? true : undefined;
}

/** Little-endian float32, as vendors write vectors for short. */
const base64Of = (vector: readonly number[] | string): string =>
  typeof vector === "string" ? vector : Buffer.from(Float32Array.from(vector).buffer).toString("base64");

function numbersOf(vector: readonly number[] | string): readonly number[] {
  if (typeof vector !== "string") return vector;
  const bytes = Buffer.from(vector, "base64");
  return Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readFloatLE(at * 4));
}
