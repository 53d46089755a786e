import { bearer, defineProvider, z } from "../core/provider-kit/index.ts";

/** Models of the first version; all others are served by the second one. */
const isOld = (model: string): boolean => /^stable-diffusion-(?:xl-1024-v1-0|v1-6)$/.test(model);

/** Pixels; what is smaller is refused there (providers.md sections 1.2 and 16). */
const atLeast320: readonly [number, number] = [320, Number.MAX_SAFE_INTEGER];

export default defineProvider({
  name: "stability-ai",
  summary: "Stability AI: the Stable Diffusion and Stable Image models.",
  baseUrl: "https://api.stability.ai",
  // platform.stability.ai/docs/api-reference: who asks, for the vendor's own logs.
  options: z.strictObject({
    clientId: z.string().exactOptional().describe("The name of your application, sent as stability-client-id."),
    clientUserId: z.string().exactOptional().describe("A name of its user, sent as stability-client-user-id."),
    clientVersion: z.string().exactOptional().describe("Its version, sent as stability-client-version."),
  }),
  headerOptions: {
    clientId: "stability-client-id",
    clientUserId: "stability-client-user-id",
    clientVersion: "stability-client-version",
  },
  authenticate: ({ apiKey, clientId, clientUserId, clientVersion }) =>
    apiKey && {
      ...bearer(apiKey),
      ...(clientId !== undefined && { "stability-client-id": clientId }),
      ...(clientUserId !== undefined && { "stability-client-user-id": clientUserId }),
      ...(clientVersion !== undefined && { "stability-client-version": clientVersion }),
    },
  forwards: ["stability-client-id", "stability-client-user-id", "stability-client-version"],
  operations: {
    image: [
      { format: "stability-v1-images", serves: isOld, clamps: { width: atLeast320, height: atLeast320 } },
      { format: "stability-v2-images", serves: (model) => !isOld(model) },
    ],
  },
});
