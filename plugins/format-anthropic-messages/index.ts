import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { batchEndpoints } from "./batches.ts";
import { anthropicCount } from "./count/format.ts";
import { anthropicMessages } from "./format.ts";

export { anthropicCount, anthropicMessages };

export default definePlugin({
  name: "format-anthropic-messages",
  summary: "Speaks the Anthropic Messages API, to clients at /v1/messages and to providers, and counts tokens.",
  options: z.strictObject({}),
  setup({ format, endpoint, server }) {
    format(anthropicMessages);
    format(anthropicCount);
    endpoint({
      type: "messages",
      method: "POST",
      path: "/v1/messages",
      operation: "chat",
      format: anthropicMessages.name,
    });
    endpoint({
      type: "messagesCountTokens",
      method: "POST",
      path: "/v1/messages/count_tokens",
      operation: "count",
      format: anthropicCount.name,
    });
    for (const one of batchEndpoints(server.secure === true)) endpoint(one);
  },
});
