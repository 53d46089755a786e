import { defineProvider, withTexts } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "hyperbolic",
  summary: "Hyperbolic: open models.",
  baseUrl: "https://api.hyperbolic.xyz",
  operations: {
    chat: {
      format: "openai-chat",
      path: "/v1/chat/completions",
      clamps: { min_p: [0, 1] },
      // "can only concatenate str (not "list") to str" (OpenHands/OpenHands#4004).
      rewrite: {
        when: ['"text"'],
        apply: ({ messages, ...wire }, report) => ({
          ...wire,
          messages: Array.isArray(messages) ? withTexts(messages, report) : messages,
        }),
      },
    },
    image: "hyperbolic-images",
  },
  proxyPath: (path) => `/v1${path}`,
});
