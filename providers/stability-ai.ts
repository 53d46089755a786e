import { defineProvider } from "../core/provider-kit/index.ts";

/** Models of the first version; all others are served by the second one. */
const isOld = (model: string): boolean => /^stable-diffusion-(?:xl-1024-v1-0|v1-6)$/.test(model);

export default defineProvider({
  name: "stability-ai",
  summary: "Stability AI: the Stable Diffusion and Stable Image models.",
  baseUrl: "https://api.stability.ai",
  operations: {
    image: [
      { format: "stability-v1-images", serves: isOld },
      { format: "stability-v2-images", serves: (model) => !isOld(model) },
    ],
  },
});
