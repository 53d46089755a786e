import { z } from "zod";
import {
  compact,
  extraIn,
  type Fields,
  type Format,
  fieldsBeyond,
  isRecord,
  lookUp,
  ownFields,
  parseRequest,
  raise,
  readErrorBody,
  refuse,
  reportForeign,
  type SpeechRequest,
  type SpeechResponse,
  tokenCount,
  typedEvents,
  type Usage,
} from "../../core/index.ts";

const formatName = "openai-speech";

const input = "a string of 1 to 4096 characters";
const voice = "the name of a voice";
const speed = "a number from 0.25 to 4";
const text = z.string("a string").nullish();

/** What kinds of sound are on the wire (providers.md section 8.8). */
const mediaTypes: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/L16",
  alaw: "audio/alaw",
  mulaw: "audio/basic",
};

/** How voices are said to Mistral, which has no `voice`: one it knows, or a sample of one. */
const otherVoices = ["voice_id", "ref_audio"] as const;

/** What vendors call their voices is theirs to say; so are the kinds of sound of vendors that have more. */
const request = z.looseObject(
  {
    model: z.string("a string").min(1, "a string that is not empty"),
    input: z.string(input).min(1, input).max(4096, input),
    voice: z.union([z.string().min(1), z.looseObject({})], voice).optional(),
    response_format: text,
    speed: z.number(speed).min(0.25, speed).max(4, speed).nullish(),
    instructions: text,
    stream_format: z.enum(["audio", "sse"], 'one of "audio", "sse"').nullish(),
  },
  "an object",
);

function decodeRequest(body: unknown): SpeechRequest {
  const wire = parseRequest(request, body);
  if (wire.voice === undefined && !otherVoices.some((name) => typeof wire[name] === "string"))
    refuse("voice", voice, wire.voice);
  return {
    model: wire.model,
    input: wire.input,
    ...compact({
      voice: wire.voice,
      responseFormat: wire.response_format,
      speed: wire.speed,
      instructions: wire.instructions,
      streamFormat: wire.stream_format,
    }),
    ...extraIn(formatName, fieldsBeyond(wire, request)),
  };
}

function encodeRequest(speech: SpeechRequest, report: (dropped: string) => void): Fields {
  reportForeign(formatName, speech.extra, "", report);
  return {
    model: speech.model,
    input: speech.input,
    ...compact({
      voice: speech.voice,
      response_format: speech.responseFormat,
      speed: speech.speed,
      instructions: speech.instructions,
      stream_format: speech.streamFormat,
    }),
    ...ownFields(formatName, speech.extra),
  };
}

function readUsage(wire: unknown): Usage | undefined {
  const tokens = isRecord(wire) && isRecord(wire.usage) ? wire.usage : {};
  const usage = compact({
    inputTokens: tokenCount(tokens.input_tokens) ?? tokenCount(tokens.prompt_tokens),
    outputAudioTokens: tokenCount(tokens.output_tokens) ?? tokenCount(tokens.completion_tokens),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** Sound in JSON, as Mistral gives it to its own clients. */
function decodeResponse(wire: unknown): SpeechResponse {
  if (!isRecord(wire) || typeof wire.audio_data !== "string")
    return raise("upstream_invalid", "The answer holds no sound.");
  return { audio: wire.audio_data, ...compact({ usage: readUsage(wire) }) };
}

/** The answer is sound, as it comes; or events with pieces of it. */
export const openAiSpeech: Format<"speech"> = {
  name: formatName,
  operation: "speech",
  drops: [],
  decodeRequest,
  refuseElsewhere({ streamFormat }) {
    if (streamFormat === "sse") refuse("stream_format", '"audio" for a vendor with a speech API of its own', "sse");
  },
  encodeRequest,
  decodeResponse,
  encodeResponse: ({ audio, mediaType }) => ({ audio, ...compact({ media_type: mediaType }) }),
  readBytes: (bytes, contentType) => ({ audio: bytes.toString("base64"), mediaType: contentType }),
  writeBytes: ({ audio, mediaType }, { asked }) => ({
    bytes: Buffer.from(audio, "base64"),
    contentType: mediaType ?? lookUp(mediaTypes, String(asked?.response_format ?? "mp3")) ?? "application/octet-stream",
  }),
  decodeError: readErrorBody,
  readUsage,
  upstream: { path: "/audio/speech" },
  ...typedEvents((type) => type === "speech.audio.done", readUsage),
};
