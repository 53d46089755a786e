import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "deepinfra",
  summary: "DeepInfra: open models.",
  statesCost: true,
  baseUrl: "https://api.deepinfra.com/v1/openai",
  operations: { chat: "openai-chat", complete: "openai-completions", embed: "openai-embeddings" },
});
