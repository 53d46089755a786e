import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "perplexity-ai",
  summary: "Perplexity: the Sonar models, which search the web.",
  baseUrl: "https://api.perplexity.ai",
  operations: {
    chat: [
      {
        format: "openai-chat",
        renames: { max_completion_tokens: "max_tokens", frequency_penalty: "repetition_penalty" },
        clamps: { max_tokens: [1, Number.MAX_SAFE_INTEGER], temperature: [0, 2], top_p: [0, 1], top_k: [0, 2048] },
      },
      // The vendor serves agents below a version; chat stands beside it.
      { format: "openai-responses", path: "/v1/responses" },
    ],
  },
  // Searches, requests and what was read for citations are on the bill beside the tokens, and models of other makers are behind it.
  statesCost: true,
});
