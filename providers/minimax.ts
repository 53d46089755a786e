import { z } from "zod";
import { defineProvider, type ErrorDetail, isRecord, noThreads, ownSignatures } from "../core/provider-kit/index.ts";

/** Some refusals come with status 200: `{base_resp: {status_code, status_msg}}`, where 0 is none. */
function readError(_: number, wire: unknown): ErrorDetail | undefined {
  const { status_code: code, status_msg: message } = isRecord(wire) && isRecord(wire.base_resp) ? wire.base_resp : {};
  if (typeof code !== "number" || code === 0 || typeof message !== "string") return undefined;
  return { message, code };
}

const usual = "https://api.minimax.io/v1";

// "temperature must be in (0.0, 1.0]" (docs/api-reference/text-openai-api): what others call no chance at all is refused.
const clamps = { temperature: [0.01, 1] } as const;

/** What its Messages API does not look at, or is not said to know (docs/api-reference/text-anthropic-api). */
const unread = [
  "container",
  "context_management",
  "mcp_servers",
  "output_config",
  "service_tier",
  "stop_sequences",
  "top_k",
];

/** Hosts of the vendor; others that serve its models need not have that API. */
const own = /^https:\/\/[^/]*\.minimaxi?\.(?:io|com)(?=[:/]|$)/i;

/** In chat completions what its models think stands in the text (decision 0059). */
const messagesAt = (baseUrl: string) => ({
  format: "anthropic-messages",
  serves: (model: string) => /(?:^|\/)minimax-m[2-9]/i.test(model),
  path: `${baseUrl.replace(/(?:\/v1)?\/*$/, "")}/anthropic/v1/messages`,
  clamps,
  drops: unread,
  rewrite: noThreads,
  ...ownSignatures("minimax", "anthropic-messages"),
});

export default defineProvider({
  name: "minimax",
  summary: "MiniMax: the M and abab models.",
  baseUrl: usual,
  options: z.strictObject({
    messagesApi: z
      .boolean()
      .exactOptional()
      .describe("Whether the Messages API is at /anthropic/v1 beside the base URL; at the vendor's own hosts it is."),
  }),
  operations: ({ baseUrl = usual, messagesApi = own.test(baseUrl) }) => ({
    chat: [{ format: "openai-chat", clamps }, ...(messagesApi ? [messagesAt(baseUrl)] : [])],
  }),
  // A task, which says how large a video became and not how long; of a newer version it is one object (docs/api-reference/video-generation).
  videos: {
    begun: /^(?:\/v\d)?\/video_generation$/,
    told: /^(?:\/v\d)?\/query\/video_generation(?:\/([^/]+))?$/,
    id: ["task_id", "task.id"],
    over: [
      ["status", "Success"],
      ["task.status", "succeeded"],
    ],
    model: ["task.model"],
    seconds: ["task.usage.total_seconds", "task.duration"],
    askedSeconds: ["duration"],
    usualSeconds: 6,
    sides: ["video_width", "video_height"],
  },
  readError,
});
