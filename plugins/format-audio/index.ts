import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { deepgram } from "./deepgram.ts";
import { googleSpeech } from "./google.ts";
import { mistralSpeech } from "./mistral-speech.ts";
import { mistralTranscriptions } from "./mistral-transcriptions.ts";

export const vendorFormats = [deepgram, googleSpeech, mistralSpeech, mistralTranscriptions] as const;

export default definePlugin({
  name: "format-audio",
  summary: "Asks vendors with a speech API of their own, for clients of the OpenAI audio API.",
  options: z.strictObject({}),
  setup({ format }) {
    for (const one of vendorFormats) format(one);
  },
});
