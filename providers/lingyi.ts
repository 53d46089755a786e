import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "lingyi",
  summary: "Lingyi (01.ai): the Yi models.",
  baseUrl: "https://api.lingyiwanwu.com",
  operations: { chat: { format: "openai-chat", path: "/v1/chat/completions" } },
  proxyPath: (path) => `/v1${path}`,
});
