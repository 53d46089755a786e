import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "github",
  summary: "GitHub Models, which GitHub has ended in July 2026: for hosts that speak as it did.",
  baseUrl: "https://models.inference.ai.azure.com",
  operations: {
    // Reasoning models behind it know max_completion_tokens only, so it keeps its name.
    chat: {
      format: "openai-chat",
      drops: ["functions", "function_call"],
      renames: { max_completion_tokens: "max_completion_tokens" },
    },
    complete: "openai-completions",
    embed: "openai-embeddings",
  },
});
