import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "matterai",
  summary: "MatterAI: the Axon models.",
  baseUrl: "https://api.matterai.so/v1",
  operations: { chat: "openai-chat" },
});
