import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { anthropicMessages } from "./format.ts";

export { anthropicMessages };

export default definePlugin({
  name: "format-anthropic-messages",
  summary: "Speaks the Anthropic Messages API, to clients at /v1/messages and to providers.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    format(anthropicMessages);
    endpoint({
      type: "messages",
      method: "POST",
      path: "/v1/messages",
      operation: "chat",
      format: anthropicMessages.name,
    });
  },
});
