import type { z } from "zod";
import {
  chargedIn,
  compact,
  type Embedding,
  type EmbeddingResponse,
  type EncodeContext,
  type Fields,
  fieldsBeyond,
  isRecord,
  ownFields,
  raise,
  readErrorBody,
  tokenCount,
  type Usage,
} from "../../core/index.ts";
import { extraOf, formatName } from "./fields.ts";
import { wireResponse } from "./wire.ts";

export function decodeResponse(body: unknown): EmbeddingResponse {
  const result = wireResponse.safeParse(body);
  if (!result.success) {
    const issue = result.error.issues[0];
    const said = readErrorBody(body)?.message ?? `${issue?.path.join(".") || "body"}: ${issue?.message}`;
    return raise("upstream_invalid", `The answer is not a list of embeddings: ${said}`);
  }
  const wire = result.data;
  return {
    ...compact({ model: wire.model || undefined }),
    data: wire.data.map(decodeItem),
    ...compact({ usage: decodeUsage(wire.usage) }),
    ...extraOf(compact(fieldsBeyond(wire, wireResponse))),
  };
}

type Item = z.infer<typeof wireResponse>["data"][number];

function decodeItem(
  { index, embedding, image_embedding: image, video_embeddings: video }: Item,
  at: number,
): Embedding {
  const vector = embedding ?? image ?? video?.[0]?.embedding;
  if (!vector) return raise("upstream_invalid", `The answer has no vector in data[${at}].`);
  const segments = video?.map((one) => ({
    vector: one.embedding,
    ...compact({ start: one.start_offset, end: one.end_offset }),
  }));
  const parts = image || segments ? compact({ text: embedding, image, video: segments }) : undefined;
  return { index: index ?? at, vector, ...(parts && { parts }) };
}

export function encodeResponse(response: EmbeddingResponse, context: EncodeContext): Fields {
  const { usage, extra } = response;
  const tokens = usage?.inputTokens;
  // Vendors of other formats know numbers only; clients of this one ask for base64 without being told to.
  const short = context.asked?.encoding_format === "base64";
  return {
    object: "list",
    data: response.data.map((item) => encodeItem(item, short)),
    model: response.model ?? context.model,
    ...(tokens !== undefined && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
    provider: context.provider,
    ...ownFields(formatName, extra),
  };
}

/** Clients that asked for base64, as those do that decode it by themselves, stumble over an item without any. */
function encodeItem({ index, vector, parts }: Embedding, short: boolean): Fields {
  const own = parts && !short ? parts.text : vector;
  return {
    object: "embedding",
    index,
    ...compact({
      embedding: short && own !== undefined && typeof own !== "string" ? base64Of(own) : own,
      image_embedding: parts?.image,
      video_embeddings: parts?.video?.map(({ vector: embedding, start, end }, at) => ({
        embedding,
        index: at,
        ...compact({ start_offset: start, end_offset: end }),
      })),
    }),
  };
}

const key = Buffer.from('"embedding"');

/** Whether vectors are lists of numbers where base64 was asked for: clients that did take a list for an empty text. */
export function overlooksBase64(answer: Buffer, asked: () => Readonly<Fields> | undefined): boolean {
  for (let at = answer.indexOf(key); at >= 0; at = answer.indexOf(key, at + 1)) {
    const [, first] = /^\s*:\s*(.)/.exec(answer.toString("latin1", at + key.length, at + key.length + 16)) ?? [];
    if (first !== undefined) return first === "[" && asked()?.encoding_format === "base64";
  }
  return false;
}

/** Little-endian float32, as this API writes it. */
const base64Of = (vector: readonly number[]): string =>
  Buffer.from(Float32Array.from(vector).buffer).toString("base64");

/** Embedding reads, and writes nothing: some vendors only tell the total. */
export function decodeUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const inputTokens = tokenCount(wire.prompt_tokens) ?? tokenCount(wire.total_tokens);
  return inputTokens === undefined ? undefined : compact({ inputTokens, charged: chargedIn(wire) });
}
