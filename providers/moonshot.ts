import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "moonshot",
  summary: "Moonshot: the Kimi models.",
  baseUrl: "https://api.moonshot.cn",
  operations: {
    // Kimi refuses histories of tool calls without what it thought: "reasoning_content is missing in assistant tool call".
    chat: {
      format: "openai-chat",
      path: "/v1/chat/completions",
      thinkingField: "reasoning_content",
      attachments: ["video"],
    },
  },
  proxyPath: (path) => `/v1${path}`,
});
