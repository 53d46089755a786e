import {
  compact,
  type EncodeContext,
  type Fields,
  lookUp,
  ownFields,
  type TranscriptionResponse,
} from "../../core/index.ts";

/** Subtitles need the times of sentences, which only vendors that make subtitles know. */
export const isSubtitles = (responseFormat: string | undefined): boolean =>
  responseFormat === "srt" || responseFormat === "vtt";

/** A transcription as an object; with times, or who says what, and what else its own format says, where the client asked for that. */
export function encodeTranscript(name: string, response: TranscriptionResponse, { asked }: EncodeContext): Fields {
  const { text, extra } = response;
  const write = typeof asked?.response_format === "string" ? lookUp(withMore, asked.response_format) : undefined;
  return { ...write?.(response), text, ...ownFields(name, extra) };
}

const withMore: Readonly<Record<string, (response: TranscriptionResponse) => Fields>> = {
  verbose_json: ({ language, duration, words, segments }) =>
    compact({
      language,
      duration,
      words,
      segments: segments?.map(({ speaker: _, ...times }, id) => ({ id, ...times })),
    }),
  diarized_json: ({ duration, segments = [] }) => ({
    task: "transcribe",
    ...compact({ duration }),
    segments: segments.map(({ text, start, end, speaker = "A" }, at) => ({
      type: "transcript.text.segment",
      id: `seg_${at}`,
      ...{ start, end, text, speaker },
    })),
  }),
};

/** The text alone, where that was asked for. */
export function writeTranscript(
  { text }: TranscriptionResponse,
  { asked }: EncodeContext,
): { readonly bytes: Buffer; readonly contentType: string } | undefined {
  if (asked?.response_format !== "text") return undefined;
  return { bytes: Buffer.from(`${text}\n`), contentType: "text/plain; charset=utf-8" };
}
