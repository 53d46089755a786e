import { type Choice, type FinishReason, lookUp } from "../../../core/index.ts";

const finishReasons: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  pause_turn: "stop",
  compaction: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool-calls",
  refusal: "content-filter",
};

const stopReasons: Readonly<Record<FinishReason, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  "tool-calls": "tool_use",
  "content-filter": "refusal",
  other: "end_turn",
};

export const decodeStopReason = (word: string | null | undefined): FinishReason =>
  (word ? lookUp(finishReasons, word) : undefined) ?? "other";

export interface Stop {
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
}

/**
 * A word of this format is kept as long as it still means what the canonical reason says, also where another one has it in
 * capitals: that a stop sequence was met may be all that is known of it.
 */
export function encodeStop(
  ending: Pick<Choice, "finishReason" | "rawFinishReason" | "stopSequence">,
  refused: boolean,
): Stop {
  const { finishReason, rawFinishReason, stopSequence } = ending;
  const raw = rawFinishReason?.toLowerCase();
  if (refused) return { stop_reason: "refusal", stop_sequence: null };
  const kept = raw !== undefined && lookUp(finishReasons, raw) === finishReason ? raw : undefined;
  const sequence =
    finishReason === "stop" && (kept === undefined || kept === "stop_sequence") ? stopSequence : undefined;
  return {
    stop_reason: kept ?? (sequence === undefined ? stopReasons[finishReason] : "stop_sequence"),
    stop_sequence: sequence ?? null,
  };
}
