import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "monsterapi",
  summary: "MonsterAPI: open models.",
  baseUrl: "https://llm.monsterapi.ai/v1",
  operations: {
    chat: {
      format: "openai-chat",
      renames: { max_completion_tokens: "max_length", max_tokens: "max_length" },
      clamps: { top_k: [1, 20], temperature: [0, 1], max_length: [1, 2048] },
    },
  },
});
