import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "lepton",
  summary: "Lepton AI: open models.",
  baseUrl: "https://api.lepton.ai",
  operations: {
    chat: { format: "openai-chat", path: "/api/v1/chat/completions" },
    complete: { format: "openai-completions", path: "/api/v1/completions" },
    transcribe: { format: "openai-transcriptions", path: "/api/v1/audio/transcriptions" },
  },
  proxyPath: (path) => `/api/v1${path}`,
});
