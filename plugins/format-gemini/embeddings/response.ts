import {
  compact,
  type EmbeddingResponse,
  type Fields,
  isRecord,
  leftovers,
  raise,
  readErrorBody,
  type Usage,
} from "../../../core/index.ts";
import { extraOf, restore } from "../fields.ts";
import { decodeUsage, encodeUsage } from "../response/usage.ts";

const answerFields = new Set(["embedding", "embeddings", "usageMetadata"]);

export function decodeResponse(body: unknown): EmbeddingResponse {
  const wire = isRecord(body) ? body : {};
  const found: unknown = Array.isArray(wire.embeddings) ? wire.embeddings : wire.embedding && [wire.embedding];
  if (!Array.isArray(found))
    raise(
      "upstream_invalid",
      `The answer holds no embeddings: ${readErrorBody(body)?.message ?? "neither one nor a list"}`,
    );
  return {
    data: found.map((one, index) => ({ index, vector: vectorIn(one, index) })),
    ...compact({ usage: readUsage(wire) }),
    ...extraOf(leftovers(wire, answerFields)),
  };
}

function vectorIn(value: unknown, index: number): readonly number[] {
  const values: unknown = isRecord(value) ? value.values : undefined;
  if (!Array.isArray(values) || values.some((one) => typeof one !== "number"))
    raise("upstream_invalid", `The embedding ${index} is not a list of numbers.`);
  return values;
}

export const readUsage = (wire: unknown): Usage | undefined =>
  isRecord(wire) ? decodeUsage(wire.usageMetadata) : undefined;

export function encodeOne(response: EmbeddingResponse): Fields {
  const [embedding = { values: [] }] = embeddingsOf(response);
  return restore({ embedding, ...usageOf(response) }, response.extra);
}

export const encodeBatch = (response: EmbeddingResponse): Fields =>
  restore({ embeddings: embeddingsOf(response), ...usageOf(response) }, response.extra);

const embeddingsOf = ({ data }: EmbeddingResponse): Fields[] =>
  [...data].sort((left, right) => left.index - right.index).map(({ vector }) => ({ values: numbersOf(vector) }));

/** Little-endian float32 as base64 is how other APIs write vectors for short. */
function numbersOf(vector: readonly number[] | string): readonly number[] {
  if (typeof vector !== "string") return vector;
  const bytes = Buffer.from(vector, "base64");
  return Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readFloatLE(at * 4));
}

const usageOf = ({ usage }: EmbeddingResponse): Fields => (usage ? { usageMetadata: encodeUsage(usage) } : {});
