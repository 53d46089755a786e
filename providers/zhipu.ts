import { defineProvider, glmChats, glmVideos } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "zhipu",
  summary: "Zhipu AI: the GLM models, served from China.",
  baseUrl: "https://open.bigmodel.cn/api/paas/v4",
  operations: {
    // Thinking between calls of tools "should be explicitly preserved and returned" (guides/capabilities/thinking-mode).
    chat: { format: "openai-chat", thinkingField: "reasoning_content", attachments: ["video"], rewrite: glmChats },
    count: { format: "zhipu-count-tokens", thinkingField: "reasoning_content", attachments: ["video"] },
    embed: "openai-embeddings",
    image: "zhipu-images",
  },
  videos: glmVideos,
});
