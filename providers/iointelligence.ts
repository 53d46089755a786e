import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "iointelligence",
  summary: "io.net Intelligence: open models on a decentralised cloud.",
  baseUrl: "https://api.intelligence.io.solutions/api/v1",
  operations: {
    chat: ["openai-chat", { format: "openai-responses", functionsOnly: true }],
    embed: "openai-embeddings",
  },
});
