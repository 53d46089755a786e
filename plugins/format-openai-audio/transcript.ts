import { compact, type EncodeContext, type Fields, ownFields, type TranscriptionResponse } from "../../core/index.ts";

/** Subtitles need the times of sentences, which only vendors that make subtitles know. */
export const isSubtitles = (responseFormat: string | undefined): boolean =>
  responseFormat === "srt" || responseFormat === "vtt";

/** A transcription as an object; with times, and what else its own format says, where the client asked for that. */
export function encodeTranscript(
  name: string,
  { text, language, duration, words, segments, extra }: TranscriptionResponse,
  { asked }: EncodeContext,
): Fields {
  const parts = segments?.map((segment, id) => ({ id, ...segment }));
  const verbose =
    asked?.response_format === "verbose_json" ? compact({ language, duration, words, segments: parts }) : {};
  return { ...verbose, text, ...ownFields(name, extra) };
}

/** The text alone, where that was asked for. */
export function writeTranscript(
  { text }: TranscriptionResponse,
  { asked }: EncodeContext,
): { readonly bytes: Buffer; readonly contentType: string } | undefined {
  if (asked?.response_format !== "text") return undefined;
  return { bytes: Buffer.from(`${text}\n`), contentType: "text/plain; charset=utf-8" };
}
