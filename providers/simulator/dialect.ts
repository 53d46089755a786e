import type { Wire } from "./wire.ts";

/** One frame of a stream, with what faults need to know about it. */
export interface Frame {
  readonly text: string;
  /** The answer is complete with the frame `finish`; the frame `terminator` ends the stream. */
  readonly part?: "finish" | "terminator";
}

/** An answer in one piece, or as a stream when that was asked for. */
export type Reply = { readonly whole: Wire } | { readonly frames: readonly Frame[] };

/** What the simulated vendor speaks at one path. */
export interface Dialect {
  readonly format:
    | "openai-chat"
    | "openai-responses"
    | "openai-completions"
    | "openai-embeddings"
    | "anthropic-messages"
    | "anthropic-count-tokens"
    | "openai-input-tokens"
    | "gemini"
    | "gemini-count-tokens"
    | "cohere-chat"
    | "cohere-rerank"
    | "openai-images"
    | "openai-moderations";
  /** Throws a Refusal. `digest` is that of the request's body. */
  reply(wire: Wire, digest: string): Reply;
  errorBody(status: number, message: string): Wire;
  /** Behind so many frames. */
  errorFrame(before: number): string;
  readonly malformedFrame: string;
}

/** A server-sent event. */
export const sse = (data: unknown, event?: string): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
