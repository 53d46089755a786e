import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "aibadgr",
  summary: "AI Badgr: low-priced open models.",
  baseUrl: "https://aibadgr.com/api/v1",
  operations: { chat: "openai-chat" },
});
