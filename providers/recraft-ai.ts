import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "recraft-ai",
  summary: "Recraft: images and vector graphics.",
  baseUrl: "https://external.api.recraft.ai/v1",
  operations: { image: { format: "openai-images", clamps: { n: [1, 2] } } },
});
