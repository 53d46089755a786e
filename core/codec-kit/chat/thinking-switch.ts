import type { Reasoning } from "../../model/chat.ts";
import { compact, type Fields } from "../records.ts";

/** What switches thinking on or off as Claude's clients write it; undefined where nothing is said of that. */
export function thinkingSwitchOf({ mode, budgetTokens, display }: Reasoning = {}): Fields | undefined {
  if (mode === undefined && budgetTokens === undefined) return undefined;
  return { type: mode ?? "enabled", ...compact({ budget_tokens: budgetTokens, display }) };
}

/** How thinking is to be shown, where no switch says so: clients of Gemini and of the Responses API ask for it apart. */
export const displayApart = ({ mode, budgetTokens, display }: Reasoning = {}): string | undefined =>
  mode === undefined && budgetTokens === undefined ? display : undefined;

/** What clients of the Responses API ask for it with. Formats that show thinking as it is asked for there have lost nothing. */
export const summaryField = "reasoning.summary";
