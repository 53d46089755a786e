import { type FinishReason, lookUp } from "../../../core/index.ts";
import type { Family } from "./family.ts";

/** What the makers say, in whatever case, and what it means (providers.md section 1.5). */
const reasons: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  stop_sequence: "stop",
  end_turn: "stop",
  endoftext: "stop",
  complete: "stop",
  finish: "stop",
  finished: "stop",
  stop_criteria_met: "stop",
  rag_query_when_rag_disabled: "stop",
  error: "stop",
  timeout: "stop",
  length: "length",
  max_tokens: "length",
  error_limit: "length",
  content_filtered: "content-filter",
  error_toxic: "content-filter",
};

export const decodeFinishReason = (word: string): FinishReason => lookUp(reasons, word.toLowerCase()) ?? "other";

export function encodeFinishReason({ words }: Family, reason: FinishReason, raw: string | undefined): string {
  if (raw !== undefined && decodeFinishReason(raw) === reason) return raw;
  if (reason === "content-filter") return "CONTENT_FILTERED";
  return reason === "length" ? words.length : words.stop;
}
