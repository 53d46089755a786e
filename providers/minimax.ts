import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "minimax",
  summary: "MiniMax: the M and abab models.",
  baseUrl: "https://api.minimax.io/v1",
  operations: { chat: "openai-chat" },
});
