import type { StreamChunk } from "../../model/stream.ts";

/** Whether a client that got this chunk would have something to show for it. */
export function saysSomething(chunk: StreamChunk): boolean {
  switch (chunk.type) {
    case "start":
    case "moderation":
    case "usage":
    case "error":
    case "thinking-signature":
      return false;
    case "text-delta":
    case "thinking-delta":
    case "refusal-delta":
      return chunk.text !== "";
    default:
      return true;
  }
}
