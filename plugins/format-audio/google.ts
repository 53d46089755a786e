import {
  compact,
  type Fields,
  type Format,
  lookUp,
  refuse,
  type SpeechRequest,
  vendorsOnly,
} from "../../core/index.ts";
import { soundInJson } from "./sound-in-json.ts";

const formatName = "google-speech";

/** What the vendor calls the kinds of sound (providers.md section 8.8). */
const encodings: Readonly<Record<string, string>> = {
  mp3: "MP3",
  opus: "OGG_OPUS",
  wav: "LINEAR16",
  pcm: "PCM",
  alaw: "ALAW",
  mulaw: "MULAW",
};

/** Of the unified request, fields that are there for this vendor. */
const language = "language_code";

function encodeRequest(request: SpeechRequest, report: (dropped: string) => void): Fields {
  const { model, input, voice, responseFormat = "mp3", speed, instructions, extra } = request;
  if (typeof voice !== "string") refuse("voice", "the name of a voice for this vendor", voice);
  const kinds = `one of ${Object.keys(encodings).join(", ")} for this vendor`;
  const audioEncoding = lookUp(encodings, responseFormat) ?? refuse("response_format", kinds, responseFormat);
  for (const name of Object.keys(extra?.fields ?? {})) if (name !== language) report(name);
  return {
    model,
    input: { text: input, ...compact({ prompt: instructions }) },
    voice: { languageCode: extra?.fields[language] ?? "en-US", name: voice, modelName: model },
    audioConfig: { audioEncoding, ...compact({ speakingRate: speed }) },
  };
}

export const googleSpeech: Format<"speech"> = {
  name: formatName,
  operation: "speech",
  drops: [],
  decodeRequest: vendorsOnly(formatName),
  encodeRequest,
  writeBody: ({ model: _, ...wire }) => ({ bytes: Buffer.from(JSON.stringify(wire)), contentType: "application/json" }),
  ...soundInJson("audioContent"),
  upstream: { path: "/v1/text:synthesize" },
};
