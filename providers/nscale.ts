import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "nscale",
  summary: "Nscale: open models, served from Europe.",
  baseUrl: "https://inference.api.nscale.com/v1",
  operations: { chat: "openai-chat", image: "openai-images" },
});
