import { decodedChunks } from "../../core/codec-kit/testing.ts";
import type { StreamChunk, StreamDecoder, WireEvent } from "../../core/index.ts";
import { decodeStream } from "./stream/decode-stream.ts";

export { assembled, context } from "../../core/codec-kit/testing.ts";

/** The events of text this format's encoder or its vendor wrote. For tests. */
export const eventsOf = (text: string): WireEvent[] =>
  text
    .split(/\r?\n\r?\n/)
    .filter((frame) => frame.startsWith("data: "))
    .map((frame) => ({ data: frame.slice(6) }));

/** Everything a decoder gives for the frames of a stream that ends in order. */
export const chunksIn = (text: string, decoder: StreamDecoder = decodeStream()): StreamChunk[] =>
  decodedChunks(eventsOf(text), decoder);
