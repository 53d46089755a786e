import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "hyperbolic",
  summary: "Hyperbolic: open models.",
  baseUrl: "https://api.hyperbolic.xyz",
  operations: {
    chat: { format: "openai-chat", path: "/v1/chat/completions", clamps: { min_p: [0, 1] } },
    image: "hyperbolic-images",
  },
  proxyPath: (path) => `/v1${path}`,
});
