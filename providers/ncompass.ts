import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "ncompass",
  summary: "nCompass: open models.",
  baseUrl: "https://api.ncompass.tech/v1",
  operations: { chat: "openai-chat" },
});
