import { decodedChunks } from "../../core/codec-kit/testing.ts";
import { frameEventsOf } from "../../core/http/aws-event-stream/events.ts";
import { eventFrame, exceptionFrame, type StreamChunk, type StreamDecoder, type WireEvent } from "../../core/index.ts";
import { decodeStream } from "./stream/decode-stream.ts";

export { assembled, context, withPlainArguments } from "../../core/codec-kit/testing.ts";

/** The bytes of frames an encoder wrote. For tests. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");

/**
 * A stream as fixtures hold it, a line for each message: its event type, a tab, its JSON. `!` in front makes an exception.
 */
export const streamOf = (lines: string): string =>
  lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [type = "", json = ""] = line.split("\t");
      return type.startsWith("!") ? exceptionFrame(type.slice(1), json) : eventFrame(type, json);
    })
    .join("");

export const eventsOf = (text: string): WireEvent[] => frameEventsOf(bytesOf(text));

/** Everything a decoder gives for the frames of a stream that ends in order. */
export const chunksIn = (text: string, decoder: StreamDecoder = decodeStream()): StreamChunk[] =>
  decodedChunks(eventsOf(text), decoder);
