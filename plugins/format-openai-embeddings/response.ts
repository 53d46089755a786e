import { type Embedding, type EmbeddingResponse, type EncodeContext, raise, type Usage } from "../../core/index.ts";
import { decodeError } from "./errors.ts";
import { compact, extraOf, type Fields, isOwn, isRecord, rest } from "./fields.ts";
import { wireResponse } from "./wire.ts";

export function decodeResponse(body: unknown): EmbeddingResponse {
  const result = wireResponse.safeParse(body);
  if (!result.success) {
    const issue = result.error.issues[0];
    const said = decodeError(body)?.message ?? `${issue?.path.join(".") || "body"}: ${issue?.message}`;
    return raise("upstream_invalid", `The answer is not a list of embeddings: ${said}`);
  }
  const wire = result.data;
  return {
    ...compact({ model: wire.model || undefined }),
    data: wire.data.map((item, at): Embedding => {
      const vector = item.embedding ?? item.image_embedding;
      if (!vector) return raise("upstream_invalid", `The answer has no vector in data[${at}].`);
      return { index: item.index ?? at, vector };
    }),
    ...compact({ usage: decodeUsage(wire.usage) }),
    ...extraOf(compact(rest(wire, wireResponse))),
  };
}

export function encodeResponse(response: EmbeddingResponse, context: EncodeContext): Fields {
  const { usage, extra } = response;
  const tokens = usage?.inputTokens;
  return {
    object: "list",
    data: response.data.map(({ index, vector }) => ({ object: "embedding", index, embedding: vector })),
    model: response.model ?? context.model,
    ...(tokens !== undefined && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
    provider: context.provider,
    ...(isOwn(extra) && extra.fields),
  };
}

/** Embedding reads, and writes nothing: some vendors only tell the total. -1 is a count a vendor does not know. */
export function decodeUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire)) return undefined;
  const known = [wire.prompt_tokens, wire.total_tokens].find((count) => typeof count === "number" && count >= 0);
  return typeof known === "number" ? { inputTokens: known } : undefined;
}
