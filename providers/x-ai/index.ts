import { defineProvider } from "../../core/provider-kit/index.ts";
import { edits } from "./edits.ts";
import { chats, responses } from "./refused.ts";

export default defineProvider({
  name: "x-ai",
  summary: "xAI: the Grok models.",
  baseUrl: "https://api.x.ai/v1",
  sockets: { realtime: "/realtime" },
  operations: {
    chat: [
      { format: "openai-chat", rewrite: chats },
      { format: "openai-responses", functionsOnly: true, rewrite: responses },
    ],
    complete: "openai-completions",
    embed: "openai-embeddings",
    // "This model does not support the `size` option", nor a mask (@ai-sdk/xai 5.0).
    image: { format: "openai-images", drops: ["size"] },
    imageEdit: { format: "openai-image-edits-json", drops: ["mask", "size"], rewrite: edits },
  },
  // `{request_id}`, and then `{status, model, video: {url, duration}, usage: {cost_in_usd_ticks}}` (docs.x.ai, "Video generation").
  videos: {
    begun: /^\/videos\/(?:generations|edits|extensions)$/,
    told: /^\/videos\/([^/]+)$/,
    id: ["request_id"],
    over: [["status", "done"]],
    model: ["model"],
    seconds: ["video.duration"],
  },
  // "This is the actual amount billed, […] inclusive of all token costs and server-side tool invocation costs" (cost tracking).
  statesCost: true,
});
