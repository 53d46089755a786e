import type { ErrorDetail } from "../errors/error-detail.ts";
import type { FinishReason, Moderated } from "./chat.ts";
import type { AssistantPart, Extra } from "./content.ts";
import type { Usage } from "./usage.ts";

/**
 * One element of a canonical stream, for chat and text completions alike:
 *
 *     start → (part deltas)* → finish (one per choice) → moderation? → usage?
 *
 * `choice` is the index of the answer, `part` the index of the part inside it, growing from 0 in the order the parts
 * begin. Assembling the chunks of a stream gives the response the whole-answer codec would have given.
 */
export type StreamChunk =
  | StartChunk
  | TextDelta
  | ThinkingDelta
  | ThinkingSignature
  | ToolCallStart
  | ToolCallDelta
  | RefusalDelta
  | PartChunk
  | FinishChunk
  | ModerationChunk
  | UsageChunk
  | ErrorChunk;

/** First, once. What the vendor did not say is absent. */
export interface StartChunk {
  readonly type: "start";
  readonly id?: string;
  readonly model?: string;
  readonly created?: number;
  readonly extra?: Extra;
}
interface InPart {
  readonly choice: number;
  readonly part: number;
}
export interface TextDelta extends InPart {
  readonly type: "text-delta";
  readonly text: string;
  /** Log probabilities of exactly this piece, in the vendor's OpenAI-style shape. */
  readonly logprobs?: unknown;
  /** Citations that belong to this text part. */
  readonly citations?: readonly unknown[];
  /** What only the vendor's format has a name for; it becomes the part's own. */
  readonly extra?: Extra;
}
export interface ThinkingDelta extends InPart {
  readonly type: "thinking-delta";
  readonly text: string;
  readonly extra?: Extra;
}
/** The signature of the thinking part `part`; after its text. Several are concatenated. */
export interface ThinkingSignature extends InPart {
  readonly type: "thinking-signature";
  readonly signature: string;
  readonly signer?: string;
}
export interface ToolCallStart extends InPart {
  readonly type: "tool-call-start";
  readonly id: string;
  readonly name: string;
  /** As in `ToolCallPart`. */
  readonly custom?: true;
  readonly extra?: Extra;
}
export interface ToolCallDelta extends InPart {
  readonly type: "tool-call-delta";
  readonly arguments: string;
}
export interface RefusalDelta extends InPart {
  readonly type: "refusal-delta";
  readonly text: string;
  readonly extra?: Extra;
}
/** A part that arrives in one piece: redacted thinking, an image, a block only one format knows. */
export interface PartChunk extends InPart {
  readonly type: "part";
  readonly value: AssistantPart;
}
export interface FinishChunk {
  readonly type: "finish";
  readonly choice: number;
  readonly reason: FinishReason;
  readonly rawReason?: string;
  readonly stopSequence?: string;
  /** What only the vendor's format has a name for at the end of an answer. */
  readonly extra?: Extra;
}
/** What there is to be said of the answer's moderation, once all of it is known. */
export interface ModerationChunk {
  readonly type: "moderation";
  readonly moderation: Moderated;
}
/** Totals so far; a later one replaces an earlier one bucket by bucket. */
export interface UsageChunk {
  readonly type: "usage";
  readonly usage: Usage;
}
/** The vendor reported a failure inside the stream. Nothing follows. */
export interface ErrorChunk {
  readonly type: "error";
  readonly error: ErrorDetail;
  /** A tap ends the answer, and not the vendor: once some of it was sent, nobody else is asked for another one. */
  readonly given?: true;
}
