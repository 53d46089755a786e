import { type FinishReason, lookUp } from "../../../core/index.ts";

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
};

/** Words some vendors have for the same. */
const otherWords: Readonly<Record<string, FinishReason>> = { max_tokens: "length", model_length: "length" };

const words: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
  other: "stop",
};

/**
 * A missing reason is a stop. An answer that stopped with calls in it waits for their results, whatever its vendor calls
 * that: clients of other formats run tools only when the reason says so. The vendor's word is kept where writing the
 * reason back would give another.
 */
export function decodeFinishReason(
  word: string | null | undefined,
  called: boolean,
): { reason: FinishReason; raw?: string } {
  const said = word ? (lookUp(reasons, word) ?? lookUp(otherWords, word) ?? "other") : "stop";
  const reason = called && (said === "stop" || said === "other") ? "tool-calls" : said;
  return !word || words[reason] === word ? { reason } : { reason, raw: word };
}

/** Of an answer that calls a function, for clients who know no tools. */
export const functionReason = "function_call";

/** Strict clients see words of the OpenAI API only; the others what the vendor said. */
export function encodeFinishReason(reason: FinishReason, raw: string | undefined, strict: boolean): string {
  if (raw === undefined) return words[reason];
  if (!strict) return raw;
  const meant = lookUp(reasons, raw);
  // A forced call ends with "stop", from the vendor of this API too.
  return meant === reason || (meant === "stop" && reason === "tool-calls") ? raw : words[reason];
}
