import { z } from "zod";
import { definePlugin, type Format, isRecord, readErrorBody } from "../../core/index.ts";
import { formatName } from "./fields.ts";
import { decodeRequest, drops, encodeRequest } from "./request.ts";
import { decodeResponse, decodeUsage, encodeResponse, overlooksBase64 } from "./response.ts";

export const openAiEmbeddings: Format<"embed"> = {
  upstream: { path: "/embeddings" },
  name: formatName,
  operation: "embed",
  drops,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  overlooks: overlooksBase64,
  decodeError: readErrorBody,
  answerField: "data",
  marks: [["usage.prompt_tokens", "data"]],
  readUsage: (wire) => (isRecord(wire) ? decodeUsage(wire.usage) : undefined),
  usageMember: "usage",
};

export default definePlugin({
  name: "format-openai-embeddings",
  summary: "Speaks the OpenAI embeddings API, to clients and to vendors.",
  options: z.strictObject({}),
  setup(context) {
    context.format(openAiEmbeddings);
    context.endpoint({
      type: "embed",
      method: "POST",
      path: "/v1/embeddings",
      operation: "embed",
      format: formatName,
    });
  },
});
