import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "nebius",
  summary: "Nebius Token Factory: open models.",
  baseUrl: "https://api.tokenfactory.nebius.com/v1",
  operations: { chat: "openai-chat", complete: "openai-completions", embed: "openai-embeddings" },
});
