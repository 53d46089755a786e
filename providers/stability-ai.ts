import { defineProvider } from "../core/provider-kit/index.ts";

/** Models of the first version; all others are served by the second one. */
const isOld = (model: string): boolean => /^stable-diffusion-(?:xl-1024-v1-0|v1-6)$/.test(model);

/** Pixels; what is smaller is refused there (providers.md sections 1.2 and 16). */
const atLeast320: readonly [number, number] = [320, Number.MAX_SAFE_INTEGER];

export default defineProvider({
  name: "stability-ai",
  summary: "Stability AI: the Stable Diffusion and Stable Image models.",
  baseUrl: "https://api.stability.ai",
  operations: {
    image: [
      { format: "stability-v1-images", serves: isOld, clamps: { width: atLeast320, height: atLeast320 } },
      { format: "stability-v2-images", serves: (model) => !isOld(model) },
    ],
  },
});
