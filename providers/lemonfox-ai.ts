import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "lemonfox-ai",
  summary: "Lemonfox: low-priced chat, images and transcription.",
  baseUrl: "https://api.lemonfox.ai/v1",
  operations: {
    chat: "openai-chat",
    image: { format: "openai-images", clamps: { n: [1, 8] } },
    transcribe: "openai-transcriptions",
  },
});
