import { z } from "zod";
import { askingUsage, definePlugin, forceStreamUsage } from "../../core/index.ts";
import { countFormats } from "./count/formats.ts";
import { openAiChat } from "./format.ts";

export { openAiChat };

/**
 * Where clients of two vendors have this API and all that is beside it, whatever their base URL: Groq's below `/openai/v1/`
 * (console.groq.com/docs/openai), Azure's there and below `/openai/`, with a version and the deployment that is asked, in the path
 * or for sockets in the query (learn.microsoft.com, "Azure OpenAI in Azure AI Foundry Models REST API reference"). At Azure the
 * deployment counts, and not the `model` of the body (decision 0063). Versions are between the client and its vendor.
 */
const elsewhere = "/openai/";
const atAzure = { models: "deployments/", without: ["api-version"], renames: { deployment: "model" } };

export default definePlugin({
  name: "format-openai-chat",
  summary: "Speaks the OpenAI chat completions API, to clients and to vendors.",
  options: z.strictObject({ forceStreamUsage }),
  setup(context, { forceStreamUsage: forced }) {
    context.format(askingUsage(openAiChat, forced));
    for (const one of countFormats) context.format(one);
    const path = "/v1/chat/completions";
    context.endpoint({ type: "chatComplete", method: "POST", path, operation: "chat", format: openAiChat.name });
    context.alias(elsewhere, "/v1/", atAzure);
  },
});
