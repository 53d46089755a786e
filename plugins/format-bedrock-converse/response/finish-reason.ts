import { type FinishReason, lookUp } from "../../../core/index.ts";

/** What the vendor says, and what it means (providers.md section 1.5). */
const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool-calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  guardrail_intervened: "content-filter",
  content_filtered: "content-filter",
};

const words: Readonly<Record<FinishReason, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  "tool-calls": "tool_use",
  "content-filter": "content_filtered",
  other: "end_turn",
};

export const decodeFinishReason = (word: string | undefined): FinishReason =>
  word === undefined ? "stop" : (lookUp(reasons, word) ?? "other");

/**
 * A word of this format is kept as long as it still means what the canonical reason says, also where another one has it in
 * capitals: that a stop sequence was met may be all that is known of it.
 */
export function encodeFinishReason(reason: FinishReason, word: string | undefined, stopSequence?: string): string {
  const raw = word?.toLowerCase();
  if (raw !== undefined) {
    const meant = lookUp(reasons, raw);
    if (meant === reason) return raw;
    // A word newer than this file, written the way the vendor writes them.
    if (meant === undefined && reason === "other" && /^malformed_[a-z_]+$/.test(raw)) return raw;
  }
  return reason === "stop" && stopSequence !== undefined ? "stop_sequence" : words[reason];
}
