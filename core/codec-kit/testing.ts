import type { ChatResponse } from "../model/chat.ts";
import type { EncodeContext, StreamDecoder } from "../model/format.ts";
import type { WireEvent } from "../model/framing.ts";
import type { StreamChunk } from "../model/stream.ts";
import { readJson, writeJson } from "./exact-json.ts";
import { assembler } from "./streams/assemble.ts";

/** What tests of formats share. */

/** Everything a decoder gives for the events of a stream that ends in order. */
export const decodedChunks = (events: readonly WireEvent[], decoder: StreamDecoder): StreamChunk[] => [
  ...events.flatMap((event) => [...decoder.push(event)]),
  ...decoder.end(),
];

export function assembled(chunks: Iterable<StreamChunk>): ChatResponse {
  const answer = assembler();
  for (const chunk of chunks) answer.add(chunk);
  return answer.chat();
}

/** The answer with the arguments of its calls written as a whole-answer codec writes them. */
export const withPlainArguments = (response: ChatResponse): ChatResponse => ({
  ...response,
  choices: response.choices.map((choice) => ({
    ...choice,
    content: choice.content.map((part) =>
      part.type === "tool-call" ? { ...part, arguments: writeJson(readJson(part.arguments || "{}")) } : part,
    ),
  })),
});

/** A context of an answer that leaves everything to the format. */
export const context: EncodeContext = {
  provider: "openai",
  model: "gpt-4.1",
  strict: true,
  now: 1_767_600_000,
  id: "r4nd0m",
  includeUsage: false,
};
