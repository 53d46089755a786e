import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "nextbit",
  summary: "Nextbit: open models.",
  baseUrl: "https://api.nextbit256.com/v1",
  operations: { chat: "openai-chat", complete: "openai-completions" },
});
