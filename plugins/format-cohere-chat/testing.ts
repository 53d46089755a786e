import { context as anyContext, decodedChunks } from "../../core/codec-kit/testing.ts";
import type { StreamChunk, StreamDecoder, WireEvent } from "../../core/index.ts";
import { decodeStream } from "./stream/decode-stream.ts";

export { assembled } from "../../core/codec-kit/testing.ts";

/** The events of text this format's encoder or its vendor wrote. For tests. */
export const eventsOf = (text: string): WireEvent[] =>
  text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const [, event, data = ""] = /^(?:event: ([^\n]*)\n)?data: (.*)$/s.exec(frame) ?? [];
      return { data, ...(event !== undefined && { event }) };
    });

/** Everything a decoder gives for the frames of a stream that ends in order. */
export const chunksIn = (text: string, decoder: StreamDecoder = decodeStream()): StreamChunk[] =>
  decodedChunks(eventsOf(text), decoder);

/** A context of an answer that leaves everything to the format. */
export const context = { ...anyContext, provider: "cohere", model: "command-a-03-2025" };
