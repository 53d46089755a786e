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
      const fields = frame.split("\n").map((line) => /^(\w+): (.*)$/s.exec(line) ?? []);
      const field = (name: string) => fields.find(([, key]) => key === name)?.[2];
      const event = field("event");
      return { data: field("data") ?? "", ...(event !== undefined && { event }) };
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

/** The answer with the arguments of its calls written as a whole-answer codec writes them. */
export const withPlainArguments = (response: ChatResponse): ChatResponse => ({
  ...response,
  choices: response.choices.map((choice) => ({
    ...choice,
    content: choice.content.map((part) =>
      part.type === "tool-call" ? { ...part, arguments: JSON.stringify(JSON.parse(part.arguments || "{}")) } : part,
    ),
  })),
});

/** A context of an answer that leaves everything to the format. */
export const context = {
  provider: "openai",
  model: "gpt-4.1",
  strict: true,
  now: 1_767_600_000,
  id: "r4nd0m",
  includeUsage: false,
};
