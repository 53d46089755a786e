import { z } from "zod";
import { askingUsage, definePlugin, forceStreamUsage } from "../../core/index.ts";
import { openAiChat } from "./format.ts";

export { openAiChat };

/** The second is Groq's place for this API, which its SDK asks at whatever its base URL (console.groq.com/docs/openai). */
const paths = ["/v1/chat/completions", "/openai/v1/chat/completions"];

export default definePlugin({
  name: "format-openai-chat",
  summary: "Speaks the OpenAI chat completions API, to clients and to vendors.",
  options: z.strictObject({ forceStreamUsage }),
  setup(context, { forceStreamUsage: forced }) {
    context.format(askingUsage(openAiChat, forced));
    for (const path of paths)
      context.endpoint({ type: "chatComplete", method: "POST", path, operation: "chat", format: openAiChat.name });
  },
});
