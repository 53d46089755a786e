import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { openAiModerations } from "./format.ts";

export default definePlugin({
  name: "format-openai-moderations",
  summary: "Speaks the OpenAI moderations API, to clients and to vendors.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    const { name, operation } = openAiModerations;
    format(openAiModerations);
    endpoint({ type: "moderate", method: "POST", path: "/v1/moderations", operation, format: name, checked: true });
  },
});
