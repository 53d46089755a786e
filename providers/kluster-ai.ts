import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "kluster-ai",
  summary: "kluster.ai: open models.",
  baseUrl: "https://api.kluster.ai/v1",
  operations: { chat: "openai-chat", embed: "openai-embeddings" },
});
