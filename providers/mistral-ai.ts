import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "mistral-ai",
  summary: "Mistral AI: the Mistral, Codestral and Magistral models.",
  baseUrl: "https://api.mistral.ai/v1",
  operations: {
    chat: {
      format: "openai-chat",
      renames: { seed: "random_seed", safe_mode: "safe_prompt" },
      clamps: { temperature: [0, 1], top_p: [0, 1], max_tokens: [1, Number.MAX_SAFE_INTEGER] },
      rewrite: {
        when: ['"required"'],
        apply: (wire) => ({ ...wire, ...(wire.tool_choice === "required" && { tool_choice: "any" }) }),
      },
    },
    embed: "openai-embeddings",
  },
});
