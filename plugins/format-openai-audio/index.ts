import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { openAiSpeech } from "./speech.ts";
import { openAiTranscriptions, openAiTranslations } from "./transcription.ts";

export const audioFormats = [openAiSpeech, openAiTranscriptions, openAiTranslations] as const;

const endpoints = {
  speech: ["createSpeech", "speech"],
  transcribe: ["createTranscription", "transcriptions"],
  translate: ["createTranslation", "translations"],
} as const;

export default definePlugin({
  name: "format-openai-audio",
  summary: "Speaks the OpenAI audio API (speech, transcriptions, translations), to clients and to vendors.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    for (const one of audioFormats) {
      const { operation, name } = one;
      const [type, place] = endpoints[operation];
      format(one);
      endpoint({ type, method: "POST", path: `/v1/audio/${place}`, operation, format: name, checked: true });
    }
  },
});
