import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "302ai",
  summary: "302.AI: models of many makers behind one key.",
  baseUrl: "https://api.302.ai",
  operations: { chat: { format: "openai-chat", path: "/v1/chat/completions" } },
  proxyPath: (path) => `/v1${path}`,
});
