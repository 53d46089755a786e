import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { openAiResponses } from "./format.ts";

export { openAiResponses };

export default definePlugin({
  name: "format-openai-responses",
  summary: "Speaks the OpenAI Responses API, to clients at /v1/responses and to vendors.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    format(openAiResponses);
    endpoint({
      type: "createModelResponse",
      method: "POST",
      path: "/v1/responses",
      operation: "chat",
      format: openAiResponses.name,
    });
  },
});
