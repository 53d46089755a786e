import { defineProvider } from "../../core/provider-kit/index.ts";
import { chats } from "./requests.ts";

const shown = { thinkingField: "reasoning_content", attachments: ["video"], rewrite: chats } as const;

export default defineProvider({
  name: "moonshot",
  summary: "Moonshot: the Kimi models.",
  baseUrl: "https://api.moonshot.cn",
  operations: {
    chat: { format: "openai-chat", path: "/v1/chat/completions", ...shown },
    count: { format: "moonshot-count-tokens", ...shown },
  },
  proxyPath: (path) => `/v1${path}`,
});
