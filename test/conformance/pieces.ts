import type { StreamChunk } from "../../core/index.ts";

/** The same stream in smaller pieces, whose lengths are taken from `sizes`. Characters stay whole. */
export function* inPieces(chunks: Iterable<StreamChunk>, sizes: Iterable<number>): Generator<StreamChunk> {
  const next = sizes[Symbol.iterator]();
  const pieces = (text: string): string[] => {
    const characters = [...text];
    const all: string[] = [];
    while (characters.length > 0) all.push(characters.splice(0, next.next().value ?? 1).join(""));
    return all;
  };
  for (const chunk of chunks) {
    switch (chunk.type) {
      case "text-delta": {
        const { logprobs, citations, ...bare } = chunk;
        const [first = "", ...rest] = pieces(chunk.text);
        yield { ...chunk, text: first };
        for (const text of rest) yield { ...bare, text };
        break;
      }
      case "thinking-delta":
      case "refusal-delta":
        for (const text of pieces(chunk.text)) yield { ...chunk, text };
        break;
      case "tool-call-delta":
        for (const json of pieces(chunk.arguments)) yield { ...chunk, arguments: json };
        break;
      default:
        yield chunk;
    }
  }
}
