import { defineProvider, glmChats, glmVideos } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "z-ai",
  summary: "Z.ai: the GLM models, served internationally.",
  baseUrl: "https://api.z.ai/api/paas/v4",
  operations: {
    // Thinking between calls of tools "should be explicitly preserved and returned" (guides/capabilities/thinking-mode).
    chat: { format: "openai-chat", thinkingField: "reasoning_content", attachments: ["video"], rewrite: glmChats },
    count: { format: "zhipu-count-tokens", thinkingField: "reasoning_content", attachments: ["video"] },
    image: "zhipu-images",
  },
  videos: glmVideos,
});
