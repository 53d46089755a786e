import { decodedChunks } from "../../core/codec-kit/testing.ts";
import type { EncodeContext, StreamChunk, StreamDecoder, WireEvent } from "../../core/index.ts";
import { decodeStream } from "./stream/decode-stream.ts";
import { encodeStream } from "./stream/encode-stream.ts";

export { assembled } from "../../core/codec-kit/testing.ts";

/** The events of text this format's encoder or its vendor wrote. For tests. */
export const eventsOf = (text: string): WireEvent[] =>
  text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const [, event, data = ""] = /^event: (\S+)\ndata: (.*)$/s.exec(frame) ?? [];
      return { data, ...(event !== undefined && { event }) };
    });

/** The data of those events. */
export const framesOf = (text: string): Record<string, unknown>[] =>
  eventsOf(text).map(({ data }) => JSON.parse(data) as Record<string, unknown>);

/** Everything a decoder gives for the events, without asking it for the end. */
export const pushed = (events: readonly WireEvent[], decoder: StreamDecoder = decodeStream()): StreamChunk[] =>
  events.flatMap((event) => [...decoder.push(event)]);

/** Everything a decoder gives for the frames of a stream that ends in order. */
export const chunksIn = (text: string): StreamChunk[] => decodedChunks(eventsOf(text), decodeStream());

/** A context of an answer that leaves everything to the format. */
export const context: EncodeContext = {
  provider: "openai",
  model: "asked-for",
  strict: true,
  now: 1_786_000_000,
  id: "0f1e2d",
  includeUsage: true,
};

/** The stream a client gets for these chunks. */
export function streamed(chunks: Iterable<StreamChunk>, given: EncodeContext = context): string {
  const encoder = encodeStream(given);
  let text = "";
  for (const chunk of chunks) text += encoder.push(chunk);
  return text + encoder.end();
}
