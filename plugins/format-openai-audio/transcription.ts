import { z } from "zod";
import {
  compact,
  extraIn,
  type Fields,
  type Format,
  type FormFile,
  fieldsBeyond,
  isFile,
  ownFields,
  parseAnswer,
  parseRequest,
  readErrorBody,
  refuse,
  reportForeign,
  type TranscriptionRequest,
  type TranscriptionResponse,
  typedEvents,
  writeForm,
} from "../../core/index.ts";
import { encodeTranscript, isSubtitles, writeTranscript } from "./transcript.ts";
import { readUsage } from "./usage.ts";

const text = z.string("a string").nullish();
const words = 'one of "word", "segment"';
const granularity = z.enum(["word", "segment"], words);
const granularities = z.union([granularity, z.array(granularity)], words).nullish();
const temperature = "a number from 0 to 1";

/** What vendors that fetch the sound take instead of a file: Groq an address, Mistral an address or the id of one of its files. */
const elsewhere = ["url", "file_url", "file_id"] as const;

const request = z.looseObject({
  file: z.custom<FormFile>(isFile, "a file").optional(),
  model: z.string("a string").min(1, "a string that is not empty"),
  language: text,
  prompt: text,
  response_format: text,
  temperature: z
    .string(temperature)
    .refine((value) => value.trim() !== "" && Number(value) >= 0 && Number(value) <= 1, temperature)
    .nullish(),
  "timestamp_granularities[]": granularities,
  timestamp_granularities: granularities,
  stream: text,
});

const answer = z.looseObject({
  text: z.string(),
  language: z.string().nullish(),
  duration: z.coerce.number().nullish().catch(undefined),
  words: z
    .array(z.looseObject({ word: z.string(), start: z.number(), end: z.number() }))
    .nullish()
    .catch(undefined),
  usage: z.unknown().optional(),
});

function decodeRequest(name: string, body: unknown): TranscriptionRequest {
  const wire = parseRequest(request, body);
  if (!wire.file && !elsewhere.some((name) => typeof wire[name] === "string" && wire[name] !== ""))
    refuse("file", "a file, or what the vendor takes instead (url, file_url, file_id)", wire.file);
  const granularities = wire["timestamp_granularities[]"] ?? wire.timestamp_granularities;
  return {
    model: wire.model,
    ...compact({
      file: wire.file,
      language: wire.language,
      prompt: wire.prompt,
      responseFormat: wire.response_format,
      temperature: wire.temperature == null ? undefined : Number(wire.temperature),
      granularities: granularities == null ? undefined : [granularities].flat(),
    }),
    ...(wire.stream === "true" && { stream: true }),
    ...extraIn(name, fieldsBeyond(wire, request)),
  };
}

function encodeRequest(name: string, asked: TranscriptionRequest, report: (dropped: string) => void): Fields {
  reportForeign(name, asked.extra, "", report);
  return {
    ...compact({ file: asked.file }),
    model: asked.model,
    ...compact({
      language: asked.language,
      prompt: asked.prompt,
      response_format: asked.responseFormat,
      temperature: asked.temperature,
      "timestamp_granularities[]": asked.granularities,
      stream: asked.stream,
    }),
    ...ownFields(name, asked.extra),
  };
}

function decodeResponse(name: string, body: unknown): TranscriptionResponse {
  const wire = parseAnswer(answer, body, "a transcription");
  return {
    text: wire.text,
    ...compact({ language: wire.language, duration: wire.duration, words: wire.words, usage: readUsage(wire) }),
    ...extraIn(name, compact({ usage: wire.usage, ...fieldsBeyond(wire, answer) })),
  };
}

/** Of OpenAI's streams, and of Mistral's, which pass to its own clients. */
const lastTypes: ReadonlySet<string> = new Set(["transcript.text.done", "transcription.done"]);

function formatOf<Operation extends "transcribe" | "translate">(
  name: string,
  operation: Operation,
  path: string,
): Format<Operation> {
  return {
    name,
    operation,
    requests: "form",
    drops: [],
    decodeRequest: (wire) => decodeRequest(name, wire),
    refuseElsewhere({ stream, responseFormat }) {
      if (stream) refuse("stream", '"false" or absent for a vendor with a speech API of its own', "true");
      if (isSubtitles(responseFormat))
        refuse(
          "response_format",
          '"json", "text", "verbose_json" or "diarized_json" for a vendor with a speech API of its own',
          responseFormat,
        );
    },
    encodeRequest: (asked, report) => encodeRequest(name, asked, report),
    writeBody: writeForm,
    decodeResponse: (wire) => decodeResponse(name, wire),
    encodeResponse: (response, context) => encodeTranscript(name, response, context),
    readBytes: (bytes) => ({ text: bytes.toString() }),
    writeBytes: writeTranscript,
    decodeError: readErrorBody,
    readUsage,
    upstream: { path },
    ...typedEvents((type) => lastTypes.has(type), readUsage),
  };
}

export const openAiTranscriptions = formatOf("openai-transcriptions", "transcribe", "/audio/transcriptions");
export const openAiTranslations = formatOf("openai-translations", "translate", "/audio/translations");
