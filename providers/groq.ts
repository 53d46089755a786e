import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "groq",
  summary: "Groq: open models at high speed.",
  baseUrl: "https://api.groq.com/openai/v1",
  operations: {
    chat: [
      { format: "openai-chat", drops: ["logprobs", "logit_bias", "top_logprobs"], most: { stop: 4 } },
      "openai-responses",
    ],
    speech: "openai-speech",
    transcribe: "openai-transcriptions",
    translate: "openai-translations",
  },
});
