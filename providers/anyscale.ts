import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "anyscale",
  summary: "Anyscale Endpoints: open models.",
  baseUrl: "https://api.endpoints.anyscale.com/v1",
  operations: { chat: "openai-chat", complete: "openai-completions", embed: "openai-embeddings" },
});
