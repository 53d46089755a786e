import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "fal-ai",
  summary: "fal.ai: chat by its router, images, and models of sound and video below /v1/proxy/.",
  baseUrl: "https://fal.run",
  authenticate: ({ apiKey }) => apiKey && { authorization: `Key ${apiKey.reveal()}` },
  operations: {
    chat: { format: "openai-chat", path: "/openrouter/router/openai/v1/chat/completions" },
    image: "fal-images",
  },
});
