import { defineProvider } from "../core/provider-kit/index.ts";

const drops = [
  "frequency_penalty",
  "logit_bias",
  "logprobs",
  "presence_penalty",
  "parallel_tool_calls",
  "service_tier",
] as const;

export default defineProvider({
  name: "cerebras",
  summary: "Cerebras: open models at high speed.",
  baseUrl: "https://api.cerebras.ai/v1",
  operations: { chat: { format: "openai-chat", drops } },
});
