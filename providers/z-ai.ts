import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "z-ai",
  summary: "Z.ai: the GLM models, served internationally.",
  baseUrl: "https://api.z.ai/api/paas/v4",
  operations: { chat: "openai-chat" },
});
