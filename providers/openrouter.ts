import { z } from "zod";
import { bearer, defineProvider, isRecord, withParts } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/** The address of a document stands where its bytes would. */
const fetched = (part: unknown): unknown => {
  if (!isRecord(part) || part.type !== "file" || !isRecord(part.file)) return part;
  const { file_url: url, ...file } = part.file;
  return url === undefined ? part : { ...part, file: { file_data: url, ...file } };
};

/** OpenAI's switches for reasoning and for usage in a stream have other places here; the vendor's own words win. */
function rewritten({ reasoning_effort: effort, stream_options: options, ...wire }: Wire): Record<string, unknown> {
  const { include_usage: include, ...others } = (options ?? {}) as Wire;
  return {
    ...wire,
    ...(Array.isArray(wire.messages) && { messages: withParts(wire.messages, (parts) => parts.map(fetched)) }),
    ...(Object.keys(others).length > 0 && { stream_options: others }),
    ...(effort !== undefined && { reasoning: { effort, ...(wire.reasoning as Wire | undefined) } }),
    ...(include === true && { usage: { include: true, ...(wire.usage as Wire | undefined) } }),
  };
}

export default defineProvider({
  name: "openrouter",
  summary: "OpenRouter: models of many makers behind one key.",
  baseUrl: "https://openrouter.ai/api",
  options: z.strictObject({
    siteUrl: z.url().exactOptional().describe("The address of this deployment, sent as HTTP-Referer."),
    siteName: z.string().default("Sluice").describe("The name calls are listed under at the vendor, sent as X-Title."),
  }),
  authenticate: ({ apiKey, siteUrl, siteName }) =>
    apiKey && {
      ...bearer(apiKey),
      ...(siteUrl !== undefined && { "http-referer": siteUrl }),
      "x-title": siteName,
    },
  operations: {
    chat: [
      {
        format: "openai-chat",
        path: "/v1/chat/completions",
        attachments: ["document-url", "audio", "video"],
        rewrite: { when: ['"reasoning_effort"', '"include_usage"', '"file_url"'], apply: rewritten },
      },
      { format: "openai-responses", path: "/v1/responses" },
    ],
    embed: { format: "openai-embeddings", path: "/v1/embeddings" },
  },
  // Credits are dollars; what a vendor behind it charges differs from call to call.
  statesCost: true,
  proxyPath: (path) => `/v1${path}`,
});
