import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "x-ai",
  summary: "xAI: the Grok models.",
  baseUrl: "https://api.x.ai/v1",
  sockets: { realtime: "/realtime" },
  operations: { chat: ["openai-chat", "openai-responses"], complete: "openai-completions", embed: "openai-embeddings" },
});
