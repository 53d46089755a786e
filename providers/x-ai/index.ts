import { defineProvider } from "../../core/provider-kit/index.ts";
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
  },
  // "This is the actual amount billed, […] inclusive of all token costs and server-side tool invocation costs" (cost tracking).
  statesCost: true,
});
