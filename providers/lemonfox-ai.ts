import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "lemonfox-ai",
  summary: "Lemonfox: low-priced chat models.",
  baseUrl: "https://api.lemonfox.ai/v1",
  operations: { chat: "openai-chat" },
});
