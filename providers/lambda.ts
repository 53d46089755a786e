import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "lambda",
  summary: "Lambda: open models.",
  baseUrl: "https://api.lambdalabs.com/v1",
  operations: { chat: "openai-chat", complete: "openai-completions" },
});
