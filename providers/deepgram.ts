import { defineProvider, keyHeader } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "deepgram",
  summary: "Deepgram: transcription; its other APIs below /v1/proxy/.",
  baseUrl: "https://api.deepgram.com/v1",
  authenticate: keyHeader("authorization", "Token "),
  operations: { transcribe: "deepgram-transcriptions" },
});
