import { frameEventsOf } from "../../core/http/aws-event-stream/events.ts";
import {
  assembler,
  type ChatResponse,
  eventFrame,
  exceptionFrame,
  type StreamChunk,
  type StreamDecoder,
  type WireEvent,
} from "../../core/index.ts";
import { decodeStream } from "./stream/decode-stream.ts";

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
