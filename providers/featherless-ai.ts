import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "featherless-ai",
  summary: "Featherless: any open model of Hugging Face.",
  baseUrl: "https://api.featherless.ai/v1",
  operations: { chat: "openai-chat", complete: "openai-completions" },
});
