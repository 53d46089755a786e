import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "dashscope",
  summary: "Alibaba DashScope: the Qwen models.",
  baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
  operations: { chat: { format: "openai-chat", attachments: ["video"] }, embed: "openai-embeddings" },
});
