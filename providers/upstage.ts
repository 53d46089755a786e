import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "upstage",
  summary: "Upstage: the Solar models.",
  baseUrl: "https://api.upstage.ai/v1/solar",
  operations: { chat: "openai-chat", embed: "openai-embeddings" },
});
