import { z } from "zod";
import { askingUsage, definePlugin, forceStreamUsage } from "../../core/index.ts";
import { countFormats } from "./count/formats.ts";
import { openAiChat } from "./format.ts";

export { openAiChat };

/** Groq's place for this API, at which its SDK asks whatever its base URL (console.groq.com/docs/openai). */
const groqs = "/openai/v1/";

export default definePlugin({
  name: "format-openai-chat",
  summary: "Speaks the OpenAI chat completions API, to clients and to vendors.",
  options: z.strictObject({ forceStreamUsage }),
  setup(context, { forceStreamUsage: forced }) {
    context.format(askingUsage(openAiChat, forced));
    for (const one of countFormats) context.format(one);
    const path = "/v1/chat/completions";
    context.endpoint({ type: "chatComplete", method: "POST", path, operation: "chat", format: openAiChat.name });
    context.alias(groqs, "/v1/");
  },
});
