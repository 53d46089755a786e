import { z } from "zod";
import { definePlugin, usageFrames } from "../../core/index.ts";
import { openAiChat } from "./format.ts";

export { openAiChat };

export default definePlugin({
  name: "format-openai-chat",
  summary: "Speaks the OpenAI chat completions API, to clients and to vendors.",
  options: z.strictObject({
    forceStreamUsage: z
      .boolean()
      .default(false)
      .describe(
        "Ask vendors for the usage of every stream, so that it is counted, and keep it from clients that did not ask " +
          "(`stream_options.include_usage`). ${FORCE_STREAM_USAGE:-false}",
      ),
  }),
  setup(context, { forceStreamUsage }) {
    context.format(forceStreamUsage ? { ...openAiChat, streamUsage: usageFrames } : openAiChat);
    context.endpoint({
      type: "chatComplete",
      method: "POST",
      path: "/v1/chat/completions",
      operation: "chat",
      format: openAiChat.name,
    });
  },
});
