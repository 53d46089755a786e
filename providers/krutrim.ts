import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "krutrim",
  summary: "Krutrim: open models, served from India.",
  baseUrl: "https://cloud.olakrutrim.com/v1",
  operations: { chat: "openai-chat" },
});
