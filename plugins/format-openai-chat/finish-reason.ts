import type { FinishReason } from "../../core/index.ts";

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
};

const words: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
  other: "stop",
};

/** A missing reason is a stop. The vendor's word is kept where writing the reason back would give another. */
export function decodeFinishReason(word: string | null | undefined): { reason: FinishReason; raw?: string } {
  if (!word) return { reason: "stop" };
  const reason = Object.hasOwn(reasons, word) ? reasons[word] : undefined;
  if (reason && words[reason] === word) return { reason };
  return { reason: reason ?? "other", raw: word };
}

/** Strict clients see words of the OpenAI API only; the others what the vendor said. */
export function encodeFinishReason(reason: FinishReason, raw: string | undefined, strict: boolean): string {
  if (raw === undefined || (strict && reasons[raw] !== reason)) return words[reason];
  return raw;
}
