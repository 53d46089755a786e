import { type FinishReason, lookUp } from "../../../core/index.ts";

/** What the vendor says, and what it means (providers.md section 1.5). */
const reasons: Readonly<Record<string, FinishReason>> = {
  STOP: "stop",
  RECITATION: "stop",
  OTHER: "stop",
  FINISH_REASON_UNSPECIFIED: "stop",
  MALFORMED_FUNCTION_CALL: "stop",
  MAX_TOKENS: "length",
  // Cut off at what one request may say, to be gone on with (`continuationToken`): models from 4 on.
  CONTINUATION: "length",
  SAFETY: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  BLOCKLIST: "content-filter",
  SPII: "content-filter",
  LANGUAGE: "content-filter",
  IMAGE_SAFETY: "content-filter",
  IMAGE_PROHIBITED_CONTENT: "content-filter",
  ESCALATION: "content-filter",
  PUP_LIMITED_DISABLED: "content-filter",
  MODEL_ARMOR: "content-filter",
};

const words: Readonly<Record<FinishReason, string>> = {
  stop: "STOP",
  length: "MAX_TOKENS",
  "tool-calls": "STOP",
  "content-filter": "SAFETY",
  other: "OTHER",
};

/** An answer with calls in it waits for their results, whatever else is said of its end. */
export function decodeFinishReason(word: string | undefined, called: boolean): FinishReason {
  if (called) return "tool-calls";
  return word === undefined ? "stop" : (lookUp(reasons, word) ?? "other");
}

/** Whether an answer ended before it was whole. */
export const isCutOff = (word: string | undefined): boolean => word !== undefined && lookUp(reasons, word) === "length";

/** A word of this format is kept as long as it still means what the canonical reason says. */
export function encodeFinishReason(reason: FinishReason, raw: string | undefined, refused: boolean): string {
  if (refused) return "SAFETY";
  const meant = raw === undefined ? undefined : lookUp(reasons, raw);
  if (raw !== undefined && meant !== undefined && (meant === reason || reason === "tool-calls")) return raw;
  // A word newer than this file, written the way the vendor writes them.
  if (raw !== undefined && meant === undefined && reason === "other" && /^[A-Z][A-Z_]+$/.test(raw)) return raw;
  return words[reason];
}
