import { type Choice, type FinishReason, lookUp } from "../../../core/index.ts";

/** What the vendor says, and what it means (providers.md section 1.5). */
const reasons: Readonly<Record<string, FinishReason>> = {
  COMPLETE: "stop",
  STOP_SEQUENCE: "stop",
  ERROR: "stop",
  TIMEOUT: "stop",
  MAX_TOKENS: "length",
  TOOL_CALL: "tool-calls",
};

/** There is no word for an answer that was filtered; "ERROR" at least says that it is not a complete one. */
const words: Readonly<Record<FinishReason, string>> = {
  stop: "COMPLETE",
  length: "MAX_TOKENS",
  "tool-calls": "TOOL_CALL",
  "content-filter": "ERROR",
  other: "COMPLETE",
};

/** Hosts differ in the case of the word. An answer without one has stopped. */
export const decodeFinishReason = (word: string | undefined): FinishReason =>
  word === undefined ? "stop" : (lookUp(reasons, word.toUpperCase()) ?? "other");

/** A word of this format is kept as long as it still means what the canonical reason says. */
export function encodeFinishReason(ending: Pick<Choice, "finishReason" | "rawFinishReason" | "stopSequence">): string {
  const { finishReason, rawFinishReason, stopSequence } = ending;
  const raw = rawFinishReason?.toUpperCase();
  if (raw !== undefined && lookUp(reasons, raw) === finishReason) return raw;
  return finishReason === "stop" && stopSequence !== undefined ? "STOP_SEQUENCE" : words[finishReason];
}
