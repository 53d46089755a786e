import { compact, type Fields, type Format, refuse, type SpeechRequest, vendorsOnly } from "../../core/index.ts";
import { soundInJson } from "./sound-in-json.ts";

const formatName = "mistral-speech";

/** `SpeechOutputFormat` of @mistralai/mistralai 2.7. */
const kinds: ReadonlySet<string> = new Set(["pcm", "wav", "mp3", "flac", "opus"]);

function encodeRequest(request: SpeechRequest, report: (dropped: string) => void): Fields {
  const { model, input, voice, responseFormat = "mp3", speed, instructions, extra } = request;
  if (!kinds.has(responseFormat))
    refuse("response_format", `one of ${[...kinds].join(", ")} for this vendor`, responseFormat);
  if (speed !== undefined && speed !== 1) report("speed");
  if (instructions !== undefined) report("instructions");
  const { metadata, ...unknown } = extra?.fields ?? {};
  for (const name of Object.keys(unknown)) report(name);
  return { model, input, voice_id: idOf(voice), response_format: responseFormat, ...compact({ metadata }) };
}

/** A voice by name, or as an object with its id, which is how OpenAI's own are told. */
function idOf(voice: SpeechRequest["voice"]): string {
  const id = typeof voice === "object" ? voice.id : voice;
  return typeof id === "string" ? id : refuse("voice", "the name of a voice for this vendor", voice);
}

/** Of Mistral, for clients that ask as OpenAI is asked: its sound stands in JSON. */
export const mistralSpeech: Format<"speech"> = {
  name: formatName,
  operation: "speech",
  drops: ["speed", "instructions"],
  decodeRequest: vendorsOnly(formatName),
  encodeRequest,
  ...soundInJson("audio_data"),
  upstream: { path: "/audio/speech" },
};
