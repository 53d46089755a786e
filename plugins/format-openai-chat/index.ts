import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { openAiChat } from "./format.ts";

export { openAiChat };

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
      format: openAiChat.name,
    });
  },
});
