import { type Fields, lookUp, type Reasoning } from "../../../core/index.ts";
import type { Report } from "../fields.ts";
import { type Abilities, abilitiesOf } from "../model-version.ts";

/** Efforts as budgets of tokens, for models that know no levels (inference-api.md section 7.5). */
const budgets: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** Efforts as levels; `none` is no level, and these models cannot be told not to think. */
const levels: Readonly<Record<string, string>> = {
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

/** The budget that leaves it to the model. */
const dynamic = -1;

export const thinkingFields: ReadonlySet<string> = new Set(["includeThoughts", "thinkingBudget", "thinkingLevel"]);

/** `thinkingConfig`; undefined where it sets nothing but what is shown. */
export function decodeThinking(config: Readonly<Fields>): Reasoning | undefined {
  const { includeThoughts, thinkingBudget: budget, thinkingLevel: level } = config;
  if (typeof level === "string" && level !== "") return { effort: level.toLowerCase() };
  if (typeof budget !== "number") return undefined;
  if (budget === 0) return { mode: "disabled" };
  const hidden = includeThoughts === true ? {} : { display: "omitted" };
  return budget < 0 ? { mode: "adaptive", ...hidden } : { mode: "enabled", budgetTokens: budget, ...hidden };
}

export function encodeThinking(reasoning: Reasoning | undefined, model: string, report: Report): Fields | undefined {
  if (!reasoning) return undefined;
  const { thinking } = abilitiesOf(model);
  const { mode, effort, budgetTokens, display } = reasoning;
  if (effort !== undefined && (mode !== undefined || budgetTokens !== undefined)) report("reasoning_effort");
  if (mode !== undefined || budgetTokens !== undefined) return bySwitch(reasoning, thinking, report);
  if (display !== undefined) report("thinking.display");
  return effort === undefined ? undefined : byEffort(effort, thinking, report);
}

function bySwitch(
  { mode, budgetTokens, display }: Reasoning,
  thinking: Abilities["thinking"],
  report: Report,
): Fields | undefined {
  const off = mode === "disabled" || budgetTokens === 0;
  if (thinking === "none" || (off && thinking === "level")) {
    if (!(off && thinking === "none")) report("thinking");
    return undefined;
  }
  if (off) return { includeThoughts: false, thinkingBudget: 0 };
  const includeThoughts = display !== "omitted";
  const budget = mode === "adaptive" ? dynamic : budgetTokens;
  return { includeThoughts, thinkingBudget: budget ?? dynamic };
}

function byEffort(effort: string, thinking: Abilities["thinking"], report: Report): Fields | undefined {
  const level = thinking === "level" ? lookUp(levels, effort) : undefined;
  if (level !== undefined) return { includeThoughts: true, thinkingLevel: level };
  const budget = thinking === "budget" ? lookUp(budgets, effort) : undefined;
  if (budget !== undefined) return { includeThoughts: budget > 0, thinkingBudget: budget };
  if (!(effort === "none" && thinking === "none")) report("reasoning_effort");
  return undefined;
}
