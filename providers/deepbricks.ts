import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "deepbricks",
  summary: "Deepbricks: models of several makers behind one key.",
  baseUrl: "https://api.deepbricks.ai/v1",
  operations: { chat: "openai-chat", image: "openai-images" },
});
