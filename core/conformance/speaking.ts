import { assembler } from "../codec-kit/streams/assemble.ts";
import type { ErrorDetail } from "../errors/error-detail.ts";
import { errorMessage } from "../errors/error-message.ts";
import { eventFrame } from "../http/aws-event-stream/events.ts";
import type { Format } from "../model/format.ts";
import type { Framing } from "../model/framing.ts";
import type { OperationSpec } from "../model/operation-spec.ts";
import type { OperationName, ResponseOf } from "../model/operations.ts";
import type { StreamChunk } from "../model/stream.ts";
import type { Usage } from "../model/usage.ts";
import { framingRules, written } from "../pipeline/stream/framing.ts";
import { created } from "./cases.ts";

/** What is needed to write an answer in a format. */
export interface Answered {
  readonly model: string;
  /** The request asked for usage in its stream, or may have, in words of the vendor's own. */
  readonly includeUsage: boolean;
  readonly asked?: Readonly<Record<string, unknown>> | undefined;
}

/** What an encoder is told beside the answer: nothing in it changes from run to run. */
export const contextOf = ({ model, includeUsage, asked }: Answered) => ({
  provider: "vendor",
  model,
  strict: true,
  now: created,
  id: "standin",
  includeUsage,
  asked,
});

/** A stream in a format, as the pieces its encoder makes of each chunk; the last one ends it. */
export function framesOf(format: Format, chunks: readonly StreamChunk[], answered: Answered): string[] {
  const encoder = format.encodeStream?.(contextOf(answered));
  if (!encoder) return [];
  return [...chunks.map((chunk) => encoder.push(chunk)), encoder.end()];
}

/** The beginning of a stream, and how it says that it failed. */
export function failingFrames(
  format: Format,
  chunks: readonly StreamChunk[],
  answered: Answered,
  error: ErrorDetail,
): string[] {
  const encoder = format.encodeStream?.(contextOf(answered));
  if (!encoder) return [];
  return [...chunks.map((chunk) => encoder.push(chunk)), encoder.fail(error)];
}

/** What encoders wrote, as the vendor sends it: in the framing of its own where it has one. */
export function bytesOf(text: string, format: Format, { framing }: Pick<OperationSpec, "framing">): Buffer {
  const own = Buffer.from(written(text, framingRules(format.framing)));
  if (framing === undefined || framing === format.framing) return own;
  const events = framingRules(format.framing).events(own);
  return Buffer.concat(events.map(({ data }) => Buffer.from(inFraming(data, framing), "latin1")));
}

/** An event of another format's stream inside a framing, as one character per byte. */
function inFraming(data: string, framing: Framing): string {
  const wide = Buffer.from(data).toString("latin1");
  if (framing === "aws-event-stream")
    return eventFrame("chunk", JSON.stringify({ bytes: Buffer.from(data).toString("base64") }));
  return framing === "ndjson" ? `${wide}\n` : `data: ${wide}\n\n`;
}

/** A stream as a client of the format reads it. */
export interface ReadStream {
  readonly response: ResponseOf<"chat"> | ResponseOf<"complete">;
  readonly usage: Usage | undefined;
  /** The stream came to its end, and nothing in it says otherwise. */
  readonly complete: boolean;
  /** What it says went wrong. */
  readonly error?: string;
}

/** Reads the bytes of a stream; what keeps it from being whole is part of the answer. */
export function readStream(format: Format, bytes: Buffer): ReadStream {
  const decoder = format.decodeStream?.();
  const assembled = assembler();
  let error: string | undefined;
  const take = (chunks: Iterable<StreamChunk>) => {
    for (const chunk of chunks) {
      assembled.add(chunk);
      if (chunk.type === "error") error ??= chunk.error.message;
    }
  };
  try {
    for (const event of framingRules(format.framing).events(bytes)) if (decoder) take(decoder.push(event));
    if (decoder) take(decoder.end());
  } catch (cause) {
    error ??= errorMessage(cause);
  }
  const terminated = format.terminator === undefined || bytes.toString().endsWith(format.terminator);
  const response = format.operation === "complete" ? assembled.completion() : assembled.chat();
  return {
    response,
    usage: assembled.usage,
    complete: error === undefined && terminated,
    ...(error === undefined ? !terminated && { error: "it has no terminator" } : { error }),
  };
}

/** A failure as the format's vendor would tell it. */
export function errorBody(format: Format<OperationName>, status: number, message: string) {
  const type = status === 429 ? "rate_limit_error" : "server_error";
  const body = { error: { message, type, param: null, code: null } };
  const encoded = format.encodeError?.(body, status) ?? body;
  return { body: encoded, headers: format.errorHeaders?.(encoded) ?? {} };
}
