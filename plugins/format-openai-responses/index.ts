import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { inputTokens } from "./count/format.ts";
import { openAiResponses } from "./format.ts";

export { inputTokens, openAiResponses };

export default definePlugin({
  name: "format-openai-responses",
  summary: "Speaks the OpenAI Responses API, to clients at /v1/responses and to vendors, and counts tokens.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    format(openAiResponses);
    format(inputTokens);
    endpoint({
      type: "createModelResponse",
      method: "POST",
      path: "/v1/responses",
      operation: "chat",
      format: openAiResponses.name,
    });
    endpoint({
      type: "countInputTokens",
      method: "POST",
      path: "/v1/responses/input_tokens",
      operation: "count",
      format: inputTokens.name,
    });
  },
});
