import { z } from "zod";
import {
  askingUsage,
  definePlugin,
  type Format,
  forceStreamUsage,
  isRecord,
  readErrorBody,
  withTier,
} from "../../core/index.ts";
import { decodeStream } from "./decode-stream.ts";
import { encodeStream, terminator } from "./encode-stream.ts";
import { formatName } from "./fields.ts";
import { decodeRequest, encodeRequest } from "./request.ts";
import { decodeResponse, encodeResponse } from "./response.ts";
import { readStreamEnd } from "./stream-end.ts";
import { decodeUsage } from "./usage.ts";

export const openAiCompletions: Format<"complete"> = {
  upstream: { path: "/completions" },
  name: formatName,
  operation: "complete",
  framing: "sse",
  asides: "unnamed",
  terminator,
  drops: [],
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeError: readErrorBody,
  answerField: "choices",
  endings: ["choices[*].finish_reason"],
  readUsage: (wire) => (isRecord(wire) ? withTier(decodeUsage(wire.usage), wire.service_tier) : undefined),
  usageMember: "usage",
  decodeStream,
  encodeStream,
  readStreamEnd,
};

export default definePlugin({
  name: "format-openai-completions",
  summary: "Speaks the OpenAI text completions API, to clients and to vendors.",
  options: z.strictObject({ forceStreamUsage }),
  setup(context, { forceStreamUsage: forced }) {
    context.format(askingUsage(openAiCompletions, forced));
    context.endpoint({
      type: "complete",
      method: "POST",
      path: "/v1/completions",
      operation: "complete",
      format: formatName,
      checked: true,
    });
  },
});
