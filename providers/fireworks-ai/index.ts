import { defineProvider, type ErrorDetail, z } from "../../core/provider-kit/index.ts";
import { accountOptions } from "./account.ts";
import { chats, unknownFields } from "./chats.ts";
import { fileProcedures } from "./files.ts";
import { tuningProcedures } from "./tuning.ts";

/** Requests its front door refuses are answered with `{fault: {faultstring, detail: {errorcode}}}`. */
function readError(_status: number, wire: unknown): ErrorDetail | undefined {
  const { fault } = (wire ?? {}) as { fault?: { faultstring?: unknown; detail?: { errorcode?: unknown } } };
  if (typeof fault?.faultstring !== "string") return undefined;
  const code = fault.detail?.errorcode;
  return { message: fault.faultstring, ...(typeof code === "string" && { code }) };
}

/** FLUX.1, whose variants are served one image at a time; those that change images work otherwise. */
const isFlux = (model: string): boolean => /(?:^|\/)flux-1-(?:schnell|dev)-fp8$/.test(model);

export default defineProvider({
  name: "fireworks-ai",
  summary: "Fireworks AI: open models.",
  baseUrl: "https://api.fireworks.ai/inference/v1",
  options: z.strictObject(accountOptions),
  headerOptions: { accountId: "fireworks-account-id" },
  operations: {
    chat: {
      format: "openai-chat",
      thinkingField: "reasoning_content",
      drops: unknownFields,
      clamps: { max_tokens: [1, Number.MAX_SAFE_INTEGER], top_k: [1, 128], n: [1, 128], top_logprobs: [0, 5] },
      most: { stop: 4 },
      // "Requests with max_tokens > 4096 must have stream=true" (nullclaw/nullclaw#231).
      streamsOnly: ({ max_tokens: most }) => typeof most === "number" && most > 4096,
      rewrite: chats,
    },
    complete: { format: "openai-completions", clamps: { logprobs: [0, 5] } },
    embed: "openai-embeddings",
    image: [
      { format: "fireworks-flux-images", serves: isFlux },
      { format: "fireworks-images", clamps: { width: [512, 1024], height: [512, 1024], steps: [10, 150] } },
    ],
  },
  procedures: (options) => ({ ...fileProcedures(options), ...tuningProcedures(options) }),
  readError,
});
