import { z } from "zod";
import {
  defineProvider,
  isRecord,
  isThinkingOff,
  plainEffort,
  withTexts,
  withThoughtsIn,
} from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = ((dropped: string) => void) | undefined;

/**
 * `think` is a field of its native API; in this one an effort says so. Most versions refuse others than these: "invalid reasoning value:
 * 'xhigh'". Each part of a content becomes a message there, which of a tool no longer says whose result it is (openai/openai.go).
 */
function chatRequest({ thinking, reasoning_effort: effort, ...wire }: Wire, report: Report): Record<string, unknown> {
  const off = isThinkingOff(thinking);
  const word = off ? "none" : effort === "max" ? effort : plainEffort(effort);
  return {
    ...wire,
    ...(isRecord(thinking) && { think: !off }),
    ...(word !== undefined && { reasoning_effort: word }),
    ...(Array.isArray(wire.messages) && {
      messages: withTexts(wire.messages, report).map((message) => withThoughtsIn("reasoning", message)),
    }),
  };
}

/** One text has a bare vector in its native API; several are embedded as OpenAI does. */
function embedRequest({ input, model, ...wire }: Wire): Record<string, unknown> {
  const [prompt, ...others] = Array.isArray(input) ? input : [input];
  if (typeof prompt !== "string" || others.length > 0) return { ...wire, model, input };
  const { encoding_format: _, ...rest } = wire;
  return { ...rest, model, prompt };
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
      thinkingField: "reasoning",
      rewrite: { when: ['"thinking"', '"reasoning_content"', '"reasoning_effort"', '"text"'], apply: chatRequest },
    },
    embed: {
      format: "openai-embeddings",
      path: ({ body }) => (body && !("prompt" in body) ? "/v1/embeddings" : "/api/embeddings"),
      drops: ["dimensions", "user"],
      rewrite: { when: ['"input"'], apply: embedRequest },
      normalise: ({ embedding, ...wire }) =>
        embedding === undefined ? wire : { object: "list", data: [{ object: "embedding", index: 0, embedding }] },
    },
  },
  // Its native API is below /api, the OpenAI-compatible one below /v1.
  proxyPath: (path) => (path.startsWith("/api/") ? path : `/v1${path}`),
});
