import { z } from "zod";
import { defineProvider, raise } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

function chatRequest({ thinking, ...wire }: Wire): Record<string, unknown> {
  return {
    ...wire,
    ...(thinking !== undefined && { think: (thinking as Wire | null)?.type !== "disabled" }),
  };
}

/** One text in, one bare vector out: Ollama's own API is not OpenAI's. */
function embedRequest({ input, model }: Wire): Record<string, unknown> {
  const [prompt, ...others] = Array.isArray(input) ? input : [input];
  if (typeof prompt !== "string" || others.length > 0)
    raise("invalid_request", "input must be one text: ollama embeds one at a time.", { param: "input" });
  return { model, prompt };
}

export default defineProvider({
  name: "ollama",
  summary: "Ollama: open models on a machine of your own.",
  options: z.strictObject({
    baseUrl: z.url({ protocol: /^https?$/ }).describe("Where Ollama listens, without /v1: http://localhost:11434."),
  }),
  anonymous: true,
  operations: {
    chat: {
      format: "openai-chat",
      path: "/v1/chat/completions",
      rewrite: { when: ['"thinking"'], apply: chatRequest },
    },
    embed: {
      format: "openai-embeddings",
      path: "/api/embeddings",
      drops: ["dimensions", "user"],
      rewrite: { when: ['"input"'], apply: embedRequest },
      normalise: ({ embedding }) => ({ object: "list", data: [{ object: "embedding", index: 0, embedding }] }),
    },
  },
  // Its native API is below /api, the OpenAI-compatible one below /v1.
  proxyPath: (path) => (path.startsWith("/api/") ? path : `/v1${path}`),
});
