import type { Wire } from "./wire.ts";

/** One frame of a stream, with what faults need to know about it. */
export interface Frame {
  readonly text: string | Buffer;
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
    | "bedrock-count-tokens"
    | "cohere-chat"
    | "bedrock-converse"
    | "cohere-rerank"
    | "openai-images"
    | "openai-moderations";
  /** Throws a Refusal. `digest` is that of the request's body. */
  reply(wire: Wire, digest: string): Reply;
  /** The content type of its streams; absent is that of server-sent events. */
  readonly streamType?: string;
  errorBody(status: number, message: string): Wire;
  errorHeaders?(status: number): Readonly<Record<string, string>>;
  /** Behind so many frames. */
  errorFrame(before: number): string | Buffer;
  readonly malformedFrame: string | Buffer;
}

/** What a path says of a request that the body of others says. */
export interface Called {
  readonly dialect: Dialect;
  readonly model: string;
  readonly stream: boolean;
}

/** A server-sent event. */
export const sse = (data: unknown, event?: string): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
