import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "zhipu",
  summary: "Zhipu AI: the GLM models, served from China.",
  baseUrl: "https://open.bigmodel.cn/api/paas/v4",
  operations: { chat: "openai-chat", embed: "openai-embeddings" },
});
