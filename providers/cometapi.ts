import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "cometapi",
  summary: "CometAPI: models of many makers behind one key.",
  baseUrl: "https://api.cometapi.com/v1",
  operations: { chat: "openai-chat", embed: "openai-embeddings" },
});
