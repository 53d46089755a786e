import { defineProvider } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Whether to think is a switch of its own here; a client that sets it knows better. */
const thinking = ({ reasoning_effort: effort, thinking: own }: Wire) =>
  typeof effort === "string" && own === undefined
    ? { thinking: { type: effort === "none" ? "disabled" : "enabled" } }
    : {};

export default defineProvider({
  name: "deepseek",
  summary: "DeepSeek: the DeepSeek models.",
  baseUrl: "https://api.deepseek.com",
  operations: {
    chat: {
      format: "openai-chat",
      path: "/v1/chat/completions",
      // "For turns that do perform tool calls, the reasoning_content must be fully passed back" (guides/thinking_mode).
      thinkingField: "reasoning_content",
      clamps: { top_logprobs: [0, 20] },
      rewrite: {
        when: ['"reasoning_effort"'],
        apply: (wire) => ({ ...wire, ...thinking(wire) }),
      },
    },
  },
});
