import {
  compact,
  extraIn,
  type Fields,
  type Format,
  isFile,
  isRecord,
  raise,
  readErrorBody,
  refuse,
  type TranscriptionRequest,
  type TranscriptionResponse,
  tokenCount,
  type Usage,
  vendorsOnly,
} from "../../core/index.ts";
import { segmentsIn, writtenIn } from "./deepgram-segments.ts";

const formatName = "deepgram-transcriptions";

/** Settings the vendor has no word for; `include[]` and others of the client's format are reported as they come. */
const drops = ["prompt", "temperature"];

function encodeRequest(request: TranscriptionRequest, report: (dropped: string) => void): Fields {
  if (request.prompt !== undefined) report("prompt");
  // As cold as it is anyway.
  if (request.temperature) report("temperature");
  for (const [name, value] of Object.entries(request.extra?.fields ?? {})) if (!asEver(name, value)) report(name);
  const { model, file = refuse("file", "a file for this vendor", undefined), language } = request;
  return {
    model,
    file,
    // The vendor takes everything for English that it is told nothing of.
    ...(language === undefined ? { detect_language: true } : { language }),
    smart_format: true,
    ...(wantsSegments(request) && { utterances: true }),
    ...(wantsSpeakers(request) && { diarize: true }),
  };
}

/** Where the sound is cut is the vendor's to say, whoever asks; OpenAI's models that tell speakers have to be asked for that. */
const asEver = (name: string, value: unknown): boolean => name === "chunking_strategy" && value === "auto";

const wantsSpeakers = ({ responseFormat }: TranscriptionRequest): boolean => responseFormat === "diarized_json";

/** Segments are what clients get that ask for times and do not say which, and what has a speaker. */
const wantsSegments = (request: TranscriptionRequest): boolean =>
  wantsSpeakers(request) ||
  (request.responseFormat === "verbose_json" && (request.granularities?.includes("segment") ?? true));

function decodeResponse(wire: unknown): TranscriptionResponse {
  const results = isRecord(wire) && isRecord(wire.results) ? wire.results : {};
  const channel = firstOf(results.channels);
  const best = firstOf(channel?.alternatives);
  if (typeof best?.transcript !== "string")
    return raise(
      "upstream_invalid",
      `The answer holds no transcript: ${readErrorBody(wire)?.message ?? "it is missing"}`,
    );
  const language = channel?.detected_language;
  const words = Array.isArray(best.words) ? best.words.filter(isRecord).map(wordIn) : [];
  return {
    text: best.transcript,
    ...compact({ language: typeof language === "string" ? language : undefined, duration: durationIn(wire) }),
    ...(words.length > 0 && { words }),
    ...(Array.isArray(results.utterances) && { segments: segmentsIn(results.utterances) }),
    ...compact({ usage: readUsage(wire) }),
    ...extraIn(formatName, isRecord(wire) ? wire : undefined),
  };
}

const firstOf = (list: unknown): Fields | undefined => (Array.isArray(list) && isRecord(list[0]) ? list[0] : undefined);

const wordIn = (word: Fields) => ({ word: writtenIn(word), start: Number(word.start), end: Number(word.end) });

const durationIn = (wire: unknown): number | undefined =>
  isRecord(wire) && isRecord(wire.metadata) ? tokenCount(wire.metadata.duration) : undefined;

function readUsage(wire: unknown): Usage | undefined {
  const audioSeconds = durationIn(wire);
  return audioSeconds === undefined ? undefined : { audioSeconds };
}

/** The file is the body; everything else stands in the query (providers.md section 17). */
function writeBody({ file, ...settings }: Readonly<Fields>) {
  if (!isFile(file)) return raise("internal", "A transcription was to be sent without a file.");
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(settings)) query.set(name, String(value));
  return { bytes: file.bytes, contentType: file.contentType ?? "application/octet-stream", query: query.toString() };
}

/** `err_msg` is what went wrong, `err_code` its name. */
function decodeError(wire: unknown): ReturnType<typeof readErrorBody> {
  if (!isRecord(wire) || typeof wire.err_msg !== "string") return readErrorBody(wire);
  return { message: wire.err_msg, ...(typeof wire.err_code === "string" && { code: wire.err_code }) };
}

export const deepgram: Format<"transcribe"> = {
  name: formatName,
  operation: "transcribe",
  drops,
  decodeRequest: vendorsOnly(formatName),
  encodeRequest,
  writeBody,
  decodeResponse,
  encodeResponse: ({ text }) => ({ results: { channels: [{ alternatives: [{ transcript: text }] }] } }),
  decodeError,
  readUsage,
  upstream: { path: "/listen" },
};
