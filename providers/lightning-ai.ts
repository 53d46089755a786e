import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "lightning-ai",
  summary: "Lightning AI: models of several makers.",
  baseUrl: "https://lightning.ai/api/v1",
  operations: { chat: "openai-chat" },
});
