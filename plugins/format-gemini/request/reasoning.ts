import { type Fields, lookUp, type Reasoning } from "../../../core/index.ts";
import { isUnspecified, type Report } from "../fields.ts";
import { type Abilities, abilitiesOf, type Budgets, everyLevel, type Level } from "../model-version.ts";

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
const levels: Readonly<Record<string, Level>> = {
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
  max: "xhigh",
};

/** The budget that leaves it to the model. */
const dynamic = -1;

export const thinkingFields: ReadonlySet<string> = new Set(["includeThoughts", "thinkingBudget", "thinkingLevel"]);

/** `thinkingConfig`; undefined where it says nothing. */
export function decodeThinking(config: Readonly<Fields>): Reasoning | undefined {
  const { includeThoughts, thinkingBudget: budget, thinkingLevel: level } = config;
  const shown = includeThoughts === true ? { display: "summarized" } : undefined;
  if (typeof level === "string" && level !== "" && !isUnspecified(level))
    return { effort: level.toLowerCase(), ...shown };
  if (typeof budget !== "number") return shown;
  if (budget === 0) return { mode: "disabled" };
  const display = shown ?? { display: "omitted" };
  return budget < 0 ? { mode: "adaptive", ...display } : { mode: "enabled", budgetTokens: budget, ...display };
}

export function encodeThinking(reasoning: Reasoning | undefined, model: string, report: Report): Fields | undefined {
  if (!reasoning) return undefined;
  const abilities = abilitiesOf(model);
  const { mode, effort, budgetTokens, display } = reasoning;
  // How much is left to the model, which a level guides (Claude Code says both).
  const level = mode === "adaptive" && abilities.thinking === "level" ? lookUp(levels, effort ?? "") : undefined;
  if (level !== undefined)
    return { includeThoughts: display !== "omitted", thinkingLevel: nearest(level, abilities.levels) };
  if (effort !== undefined && (mode !== undefined || budgetTokens !== undefined)) report("reasoning_effort");
  if (mode !== undefined || budgetTokens !== undefined) return bySwitch(reasoning, abilities, report);
  const isShown = display === "summarized";
  if (display !== undefined && !isShown) report("thinking.display");
  if (effort !== undefined) return byEffort(effort, abilities, report);
  return isShown && abilities.thinking !== "none" ? { includeThoughts: true } : undefined;
}

function bySwitch(
  { mode, budgetTokens, display }: Reasoning,
  { thinking, budgets: taken, levels: known }: Abilities,
  report: Report,
): Fields | undefined {
  const off = mode === "disabled" || budgetTokens === 0;
  if (thinking === "none" || (off && thinking === "level")) {
    if (!(off && thinking === "none")) report("thinking");
    return undefined;
  }
  const includeThoughts = !off && display !== "omitted";
  if (!taken)
    return { includeThoughts, ...(budgetTokens !== undefined && { thinkingLevel: levelFor(budgetTokens, known) }) };
  if (off && !taken.off) report("thinking");
  if (off) return { includeThoughts, thinkingBudget: inRange(0, taken) };
  const budget = mode === "adaptive" ? dynamic : (budgetTokens ?? dynamic);
  return { includeThoughts, thinkingBudget: inRange(budget, taken) };
}

/** The level of as many tokens, by what the efforts are as budgets. */
const levelFor = (budget: number, taken: readonly Level[]): Level =>
  nearest(budget <= 1024 ? "low" : budget <= 8192 ? "medium" : "high", taken);

/** The nearest budget a model takes. One that cannot be told not to think thinks as little as it may. */
function inRange(budget: number, { least, most, off }: Budgets): number {
  if (budget < 0 || (budget === 0 && off)) return budget;
  return Math.min(most, Math.max(least, budget));
}

/** The level a model takes that is nearest to one it may not know; of two that are as near the one where it thinks more. */
function nearest(level: Level, taken: readonly Level[]): Level {
  const far = (other: Level) => Math.abs(everyLevel.indexOf(other) - everyLevel.indexOf(level));
  return taken.reduce((best, other) => (far(other) <= far(best) ? other : best), taken[0] ?? level);
}

function byEffort(effort: string, abilities: Abilities, report: Report): Fields | undefined {
  const { thinking, budgets: taken } = abilities;
  const level = thinking === "level" ? lookUp(levels, effort) : undefined;
  if (level !== undefined) return { includeThoughts: true, thinkingLevel: nearest(level, abilities.levels) };
  const budget = thinking === "budget" ? lookUp(budgets, effort) : undefined;
  if (budget === undefined || !taken) {
    if (!(effort === "none" && thinking === "none")) report("reasoning_effort");
    return undefined;
  }
  if (budget === 0 && !taken.off) report("reasoning_effort");
  return { includeThoughts: budget > 0, thinkingBudget: inRange(budget, taken) };
}
