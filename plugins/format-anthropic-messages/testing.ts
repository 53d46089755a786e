import { decodedChunks } from "../../core/codec-kit/testing.ts";
import type { StreamChunk, StreamDecoder, WireEvent } from "../../core/index.ts";
import { decodeStream } from "./stream/decode-stream.ts";

export { assembled, context, withPlainArguments } from "../../core/codec-kit/testing.ts";

/** The events of text this format's encoder or its vendor wrote. For tests. */
export const eventsOf = (text: string): WireEvent[] =>
  text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const fields = frame.split("\n").map((line) => /^(\w+): (.*)$/s.exec(line) ?? []);
      const field = (name: string) => fields.find(([, key]) => key === name)?.[2];
      const event = field("event");
      return { data: field("data") ?? "", ...(event !== undefined && { event }) };
    });

/** Everything a decoder gives for the frames of a stream that ends in order. */
export const chunksIn = (text: string, decoder: StreamDecoder = decodeStream()): StreamChunk[] =>
  decodedChunks(eventsOf(text), decoder);
