import { z } from "zod";
import { definePlugin, type Format } from "../../core/index.ts";
import { decodeResponse } from "./decode-response.ts";
import { decodeStream } from "./decode-stream.ts";
import { encodeResponse } from "./encode-response.ts";
import { encodeStream, terminator } from "./encode-stream.ts";
import { decodeError } from "./errors.ts";
import { formatName, isRecord } from "./extra.ts";
import { decodeRequest, drops, encodeRequest } from "./request.ts";
import { readStreamEnd } from "./stream-end.ts";
import { upstream } from "./upstream.ts";
import { decodeUsage } from "./usage.ts";

export const openAiChat: Format<"chat"> = {
  upstream,
  name: formatName,
  operation: "chat",
  framing: "sse",
  terminator,
  drops,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeError,
  readUsage: (wire) => (isRecord(wire) ? decodeUsage(wire.usage) : undefined),
  decodeStream,
  encodeStream,
  readStreamEnd,
};

export default definePlugin({
  name: "format-openai-chat",
  summary: "Speaks the OpenAI chat completions API, to clients and to vendors.",
  options: z.strictObject({}),
  setup(context) {
    context.format(openAiChat);
    context.endpoint({
      type: "chatComplete",
      method: "POST",
      path: "/v1/chat/completions",
      operation: "chat",
      format: formatName,
    });
  },
});
