import {
  compact,
  type Fields,
  type Format,
  isRecord,
  raise,
  readErrorBody,
  type TranscribedSegment,
  type TranscriptionRequest,
  type TranscriptionResponse,
  tokenCount,
  type Usage,
  vendorsOnly,
  writeForm,
} from "../../core/index.ts";
import { letterOf } from "./speakers.ts";

const formatName = "mistral-transcriptions";

/** Settings the vendor has no word for; words of its own that it cannot give apart from sentences. */
const drops = ["prompt", "timestamp_granularities[]"];

/** Fields of the vendor's own that a client of OpenAI's may say beside the rest. */
const own: ReadonlySet<string> = new Set(["file_url", "file_id", "diarize", "context_bias"]);

/** `AudioTranscriptionRequest` of @mistralai/mistralai 2.7; `url` is what Groq calls `file_url`. */
function encodeRequest(request: TranscriptionRequest, report: (dropped: string) => void): Fields {
  const { model, file, language, prompt, temperature, granularities, extra } = request;
  if (prompt !== undefined) report("prompt");
  if (granularities?.includes("word")) report("timestamp_granularities[]");
  const { url, chunking_strategy: cut, ...said } = extra?.fields ?? {};
  // Where the sound is cut is the vendor's to say, whoever asks.
  if (cut !== undefined && cut !== "auto") report("chunking_strategy");
  for (const name of Object.keys(said)) if (!own.has(name)) report(name);
  return {
    ...compact({ file, file_url: url }),
    model,
    ...compact({ language, temperature }),
    // Speakers are told of segments only.
    ...(wantsSegments(request) && { timestamp_granularities: "segment" }),
    ...(wantsSpeakers(request) && { diarize: true }),
    ...Object.fromEntries(Object.entries(said).filter(([name]) => own.has(name))),
  };
}

const wantsSpeakers = ({ responseFormat }: TranscriptionRequest): boolean => responseFormat === "diarized_json";

const wantsSegments = (request: TranscriptionRequest): boolean =>
  wantsSpeakers(request) || request.responseFormat === "verbose_json";

function decodeResponse(wire: unknown): TranscriptionResponse {
  if (!isRecord(wire) || typeof wire.text !== "string")
    return raise(
      "upstream_invalid",
      `The answer holds no transcript: ${readErrorBody(wire)?.message ?? "it is missing"}`,
    );
  const { text, language, segments } = wire;
  const usage = readUsage(wire);
  return {
    text,
    ...compact({
      language: typeof language === "string" ? language : undefined,
      duration: usage?.audioSeconds,
      segments: Array.isArray(segments) ? segmentsIn(segments.filter(isRecord)) : undefined,
      usage,
    }),
  };
}

/** `{ text, start, end, speaker_id? }`: times are seconds or null, and speakers have names that say nothing. None where times are missing. */
function segmentsIn(segments: readonly Fields[]): readonly TranscribedSegment[] | undefined {
  const speakers = [...new Set(segments.map(({ speaker_id: id }) => id).filter((id) => typeof id === "string"))];
  const read = segments.flatMap(({ text, start, end, speaker_id: id }): TranscribedSegment[] => {
    if (typeof text !== "string" || typeof start !== "number" || typeof end !== "number") return [];
    const speaker = typeof id === "string" ? letterOf(speakers.indexOf(id)) : undefined;
    return [{ text, start, end, ...compact({ speaker }) }];
  });
  return read.length === segments.length && read.length > 0 ? read : undefined;
}

function readUsage(wire: unknown): Usage | undefined {
  if (!isRecord(wire) || !isRecord(wire.usage)) return undefined;
  const { prompt_audio_seconds: seconds, prompt_tokens: input, completion_tokens: output } = wire.usage;
  const usage = compact({
    inputTokens: tokenCount(input),
    outputTokens: tokenCount(output),
    audioSeconds: tokenCount(seconds),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** Of Mistral, for clients that ask as OpenAI is asked. What its own clients ask, and streams of theirs, pass through. */
export const mistralTranscriptions: Format<"transcribe"> = {
  name: formatName,
  operation: "transcribe",
  drops,
  decodeRequest: vendorsOnly(formatName),
  encodeRequest,
  writeBody: writeForm,
  decodeResponse,
  encodeResponse: ({ text }) => ({ text }),
  decodeError: readErrorBody,
  readUsage,
  upstream: { path: "/audio/transcriptions" },
};
