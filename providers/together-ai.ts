import { defineProvider } from "../core/provider-kit/index.ts";

const penalty = { max_completion_tokens: "max_tokens", frequency_penalty: "repetition_penalty" };
const clamps = { max_tokens: [1, Number.MAX_SAFE_INTEGER] } as const;

export default defineProvider({
  name: "together-ai",
  summary: "Together AI: open models.",
  baseUrl: "https://api.together.xyz",
  operations: {
    chat: { format: "openai-chat", path: "/v1/chat/completions", renames: penalty, clamps },
    complete: { format: "openai-completions", path: "/v1/completions", renames: penalty, clamps },
    embed: { format: "openai-embeddings", path: "/v1/embeddings" },
    image: "together-images",
  },
  // Videos are the one part of the API that has reached version 2.
  proxyPath: (path) => (path.startsWith("/v2/") ? path : `/v1${path}`),
});
