import { z } from "zod";
import { defineProvider } from "../../core/provider-kit/index.ts";
import { simulatorTransport } from "./transport.ts";

const formats = [
  "openai-chat",
  "openai-responses",
  "anthropic-messages",
  "gemini",
  "cohere-chat",
  "bedrock-converse",
  "openai-completions",
  "openai-embeddings",
  "cohere-rerank",
  "anthropic-count-tokens",
  "openai-input-tokens",
  "gemini-count-tokens",
  "bedrock-count-tokens",
  "openai-images",
  "openai-moderations",
] as const;

const operations = {
  chat: [
    { format: "openai-chat", path: "/chat/completions", exact: true },
    { format: "openai-responses", path: "/responses", exact: true },
    { format: "anthropic-messages", path: "/messages" },
    { format: "gemini" },
    { format: "cohere-chat" },
    { format: "bedrock-converse" },
  ],
  complete: [{ format: "openai-completions", path: "/completions" }],
  count: [
    { format: "anthropic-count-tokens" },
    { format: "gemini-count-tokens" },
    { format: "bedrock-count-tokens" },
    { format: "openai-input-tokens", exact: true },
  ],
  embed: [{ format: "openai-embeddings", path: "/embeddings" }],
  rerank: [{ format: "cohere-rerank" }],
  image: [{ format: "openai-images" }],
  moderate: [{ format: "openai-moderations" }],
} as const;

const delay = z.int().nonnegative().default(0);

export default defineProvider({
  name: "simulator",
  summary: "A vendor inside the gateway: answers without a network, always the same, and fails on demand.",
  // Nobody is called there: the name only gives calls an address.
  baseUrl: "https://simulator.invalid",
  options: z.strictObject({
    formats: z
      .array(z.enum(formats))
      .min(1)
      .default([...formats])
      .describe("The formats it speaks; requests in others are refused."),
    firstTokenDelay: delay.describe("Before the first frame of a stream, in milliseconds."),
    chunkDelay: delay.describe("Between the frames of a stream, in milliseconds."),
  }),
  anonymous: true,
  operations: ({ formats }) =>
    Object.fromEntries(
      Object.entries(operations).map(([name, specs]) => [name, specs.filter(({ format }) => formats.includes(format))]),
    ),
  transport: ({ formats, firstTokenDelay, chunkDelay }) =>
    simulatorTransport({ formats, pacing: { firstToken: firstTokenDelay, chunk: chunkDelay } }),
});
