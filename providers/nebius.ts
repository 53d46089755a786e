import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "nebius",
  summary: "Nebius AI Studio: open models.",
  baseUrl: "https://api.studio.nebius.ai/v1",
  operations: { chat: "openai-chat", complete: "openai-completions", embed: "openai-embeddings" },
});
