import { compact, type Fields, leftovers, type Reasoning } from "../../../core/index.ts";
import type { Report } from "../fields.ts";

const thinkingFields = new Set(["type", "token_budget"]);

/** `thinking`; undefined when it says something this file has no name for. */
export function decodeThinking(wire: Readonly<Fields>): Reasoning | undefined {
  const { type, token_budget: budgetTokens } = wire;
  const known = (type === "enabled" || type === "disabled") && !leftovers(wire, thinkingFields);
  if (!known || !(budgetTokens === undefined || budgetTokens === null || typeof budgetTokens === "number"))
    return undefined;
  // Of thinking that is off there is no budget.
  return { mode: type, ...(type === "enabled" && compact({ budgetTokens })) };
}

/**
 * The vendor has a switch and a budget. An effort is neither: models that think do so without being told, and the others
 * refuse the switch.
 */
export function encodeThinking(reasoning: Reasoning | undefined, report: Report): Fields | undefined {
  if (!reasoning) return undefined;
  const { effort, switchedOn, mode = switchedOn && "enabled", budgetTokens, display } = reasoning;
  if (effort !== undefined) report("reasoning_effort");
  // What its models think is shown.
  if (display !== undefined && display !== "summarized") report("thinking.display");
  if (mode === undefined && budgetTokens === undefined) return undefined;
  const off = mode === "disabled" || budgetTokens === 0;
  return compact({ type: off ? "disabled" : "enabled", token_budget: off ? undefined : budgetTokens });
}
