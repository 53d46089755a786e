import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "sambanova",
  summary: "SambaNova: open models at high speed.",
  baseUrl: "https://api.sambanova.ai",
  operations: { chat: { format: "openai-chat", path: "/v1/chat/completions" } },
  proxyPath: (path) => `/v1${path}`,
});
