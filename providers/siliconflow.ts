import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "siliconflow",
  summary: "SiliconFlow: open models, served from China.",
  baseUrl: "https://api.siliconflow.cn/v1",
  operations: { chat: "openai-chat", embed: "openai-embeddings", image: "siliconflow-images" },
});
