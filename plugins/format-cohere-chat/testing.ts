import {
  assembler,
  type ChatResponse,
  type StreamChunk,
  type StreamDecoder,
  type WireEvent,
} from "../../core/index.ts";
import { decodeStream } from "./stream/decode-stream.ts";

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
export function chunksIn(text: string, decoder: StreamDecoder = decodeStream()): StreamChunk[] {
  return [...eventsOf(text).flatMap((event) => [...decoder.push(event)]), ...decoder.end()];
}

export function assembled(chunks: Iterable<StreamChunk>): ChatResponse {
  const { add, chat } = assembler();
  for (const chunk of chunks) add(chunk);
  return chat();
}

/** A context of an answer that leaves everything to the format. */
export const context = {
  provider: "cohere",
  model: "command-a-03-2025",
  strict: true,
  now: 1_767_600_000,
  id: "r4nd0m",
  includeUsage: false,
};
