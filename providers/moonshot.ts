import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "moonshot",
  summary: "Moonshot: the Kimi models.",
  baseUrl: "https://api.moonshot.cn",
  operations: { chat: { format: "openai-chat", path: "/v1/chat/completions" } },
  proxyPath: (path) => `/v1${path}`,
});
