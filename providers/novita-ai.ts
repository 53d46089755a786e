import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "novita-ai",
  summary: "Novita AI: open models.",
  baseUrl: "https://api.novita.ai/v3/openai",
  operations: {
    chat: { format: "openai-chat", path: "/v1/chat/completions" },
    complete: { format: "openai-completions", path: "/v1/completions" },
  },
  proxyPath: (path) => `/v1${path}`,
});
