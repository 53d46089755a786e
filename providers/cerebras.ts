import {
  answeredFields,
  cacheMarkers,
  defineProvider,
  knownMessages,
  withoutCacheMarkers,
  withThoughtsIn,
} from "../core/provider-kit/index.ts";

const drops = [
  "frequency_penalty",
  "logit_bias",
  "logprobs",
  "presence_penalty",
  "parallel_tool_calls",
  "service_tier",
] as const;

/** "property 'messages.2.assistant.reasoning_content' is unsupported": what is thought has one name here (QwenLM/qwen-code#11045). */
const refused = answeredFields.filter((name) => name !== "reasoning");

export default defineProvider({
  name: "cerebras",
  summary: "Cerebras: open models at high speed.",
  baseUrl: "https://api.cerebras.ai/v1",
  operations: {
    chat: {
      format: "openai-chat",
      drops,
      rewrite: {
        when: ["assistant", ...refused, ...cacheMarkers].map((name) => `"${name}"`),
        apply(asked, report) {
          const { messages, ...wire } = withoutCacheMarkers(asked, report);
          const turns = Array.isArray(messages) ? messages.map((one) => withThoughtsIn("reasoning", one)) : messages;
          return { ...wire, messages: Array.isArray(turns) ? knownMessages(turns, refused, report) : turns };
        },
      },
    },
  },
});
