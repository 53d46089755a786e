import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "inference-net",
  summary: "Inference.net: open models.",
  baseUrl: "https://api.inference.net/v1",
  operations: { chat: "openai-chat" },
});
