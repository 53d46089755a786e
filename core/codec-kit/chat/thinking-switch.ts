import type { Reasoning } from "../../model/chat.ts";
import { compact, type Fields } from "../records.ts";

/** What switches thinking on or off as Claude's clients write it; undefined where nothing is said of that. */
export function thinkingSwitchOf({ mode, budgetTokens, display }: Reasoning = {}): Fields | undefined {
  if (mode === undefined && budgetTokens === undefined && display === undefined) return undefined;
  return { type: mode ?? "enabled", ...compact({ budget_tokens: budgetTokens, display }) };
}
