import type { ChatRequest } from "../../model/chat.ts";

/**
 * A chat in which no tool is left to call: what is said about calling goes with them, as vendors refuse it without tools. A call that is
 * wanted stays wanted.
 */
export function withoutToolUse({ tools: _, parallelToolCalls: __, toolChoice, ...rest }: ChatRequest): ChatRequest {
  return toolChoice?.type === "required" ? { ...rest, toolChoice } : rest;
}
