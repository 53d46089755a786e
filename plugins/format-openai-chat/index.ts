import { z } from "zod";
import { askingUsage, definePlugin, forceStreamUsage } from "../../core/index.ts";
import { openAiChat } from "./format.ts";

export { openAiChat };

export default definePlugin({
  name: "format-openai-chat",
  summary: "Speaks the OpenAI chat completions API, to clients and to vendors.",
  options: z.strictObject({ forceStreamUsage }),
  setup(context, { forceStreamUsage: forced }) {
    context.format(askingUsage(openAiChat, forced));
    context.endpoint({
      type: "chatComplete",
      method: "POST",
      path: "/v1/chat/completions",
      operation: "chat",
      format: openAiChat.name,
    });
  },
});
