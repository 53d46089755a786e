import {
  type ChatRequest,
  claudeAnswer,
  claudeEffort,
  claudeRoom,
  compact,
  displayApart,
  type Fields,
  isRecord,
  lookUp,
  mayStartThinking,
  type Reasoning,
  shownThinking,
  withoutUsualDisplay,
} from "../../../core/index.ts";
import { formatName, type Report } from "../fields.ts";
import { abilitiesOf, isClaude } from "./model-version.ts";

/** What a request says about thinking, on the wire. */
export interface ReasoningPlan {
  readonly thinking?: Fields;
  readonly effort?: string;
  readonly maxTokens: number;
  /** Thinking goes on although the client sent no switch of this format: settings it excludes have to go. */
  readonly implied?: true;
}

const leastBudget = 1024;

const budgets: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 32_768,
};

export function planReasoning(request: ChatRequest, forced: boolean, report: Report): ReasoningPlan {
  if (request.extra?.format === formatName) return planned(request, forced, report);
  const plan = planned(withoutUsualDisplay(request), forced, report);
  const thinking = shownThinking(plan.thinking, request, forced);
  return thinking === plan.thinking ? plan : { ...plan, ...compact({ thinking }), implied: true };
}

function planned(request: ChatRequest, forced: boolean, report: Report): ReasoningPlan {
  const { reasoning, maxTokens, extra } = request;
  const { thinking, thinksUnasked } = abilitiesOf(request.model);
  const plain: ReasoningPlan = { maxTokens: maxTokens ?? claudeRoom(request.model, thinksUnasked ? usual : undefined) };
  if (!reasoning) return plain;
  // A switch of a kind the chat format does not know either travels beside the canonical fields, and still wins.
  if (extra?.format === "openai-chat" && isRecord(extra.fields.thinking)) {
    if (reasoning.effort !== undefined) report("reasoning_effort");
    return plain;
  }
  if (reasoning.mode && isTaken(request, reasoning, forced)) return explicit(request, reasoning, report);
  if (reasoning.mode) return adapted(request, reasoning, forced, report);
  if (extra?.format === formatName) return { ...plain, ...compact({ effort: reasoning.effort }) };
  if (displayApart(reasoning) !== undefined && reasoning.display !== "summarized") report("thinking.display");
  if (reasoning.effort === undefined && reasoning.budgetTokens === undefined) return plain;
  if (reasoning.budgetTokens === undefined) return byEffort(request, reasoning.effort, forced, report);
  if (reasoning.effort !== undefined) report("reasoning_effort");
  if (reasoning.budgetTokens === 0) return { ...plain, ...switchedOff(request, "thinking.budget_tokens", report) };
  if (thinking === "adaptive") {
    report("thinking.budget_tokens");
    return forced ? plain : adaptive(request, reasoning.budgetTokens);
  }
  return withBudget(request, reasoning.budgetTokens, forced, "thinking.budget_tokens", report);
}

/**
 * Whether the model takes a switch as the client wrote it. Whoever speaks this format has asked this model for it in so many words,
 * but what others have said in its turn it cannot know; and Gemini's clients set any budget, for any model.
 */
function isTaken({ model, messages, extra }: ChatRequest, { mode, budgetTokens }: Reasoning, forced: boolean): boolean {
  const own = extra?.format === formatName;
  const { thinking, alwaysThinks, off, refusesBudgets } = abilitiesOf(model);
  if (mode === "enabled" && !mayStartThinking(messages, formatName)) return false;
  if (own) return true;
  if (mode === "disabled") return thinking !== "none" && !alwaysThinks && off === undefined;
  if (mode === "adaptive") return (thinking === "adaptive" || !isClaude(model)) && !forced;
  return thinking !== "none" && !refusesBudgets && budgetTokens !== undefined && !forced && extra?.format !== "gemini";
}

/** A switch of another API, as this model takes it. */
function adapted(request: ChatRequest, reasoning: Reasoning, forced: boolean, report: Report): ReasoningPlan {
  const { mode, effort, budgetTokens, display } = reasoning;
  const plain: ReasoningPlan = { maxTokens: request.maxTokens ?? claudeAnswer };
  if (effort !== undefined) report("reasoning_effort");
  if (mode === "disabled") return { ...plain, ...switchedOff(request, "thinking", report) };
  if (abilitiesOf(request.model).thinking !== "adaptive") {
    const plan = withBudget(request, budgetTokens ?? budgets.medium, forced, "thinking", report);
    return plan.thinking ? { ...plan, thinking: compact({ ...plan.thinking, display }) } : plan;
  }
  if (forced) report("thinking");
  else if (budgetTokens !== undefined) report("thinking.budget_tokens");
  return forced ? plain : adaptive(request, budgetTokens ?? usual, display);
}

/** A switch the client set itself is sent as it is. Clients of other formats cannot know what it excludes. */
function explicit(request: ChatRequest, reasoning: Reasoning, report: Report): ReasoningPlan {
  const { mode, effort, budgetTokens, display } = reasoning;
  const own = request.extra?.format === formatName;
  const fits = mode !== "disabled" && effort !== "none" && abilitiesOf(request.model).thinking === "adaptive";
  if (effort !== undefined && !own && !fits) report("reasoning_effort");
  return {
    thinking: compact({ type: mode, budget_tokens: budgetTokens, display }),
    maxTokens: request.maxTokens ?? claudeRoom(request.model, roomWanted(reasoning)),
    ...(!own && mode !== "disabled" && { implied: true as const }),
    ...(own && compact({ effort })),
    ...(!own && fits && effort !== undefined && { effort: claudeEffort(request.model, effort) }),
  };
}

/** Models that think as they see fit do so as for a high effort where none is named. */
const usual = 16_384;

const roomWanted = ({ mode, effort, budgetTokens }: Reasoning): number | undefined => {
  if (mode === "disabled") return undefined;
  return budgetTokens ?? (effort === undefined ? usual : lookUp(budgets, effort));
};

/** Thinking as the model sees fit: nobody knows how much that is, and it counts as part of the answer. */
const adaptive = (request: ChatRequest, room: number | undefined, display?: string): ReasoningPlan => ({
  maxTokens: request.maxTokens ?? claudeRoom(request.model, room),
  thinking: compact({ type: "adaptive", display }),
  implied: true,
});

function byEffort(request: ChatRequest, effort: string | undefined, forced: boolean, report: Report): ReasoningPlan {
  const plain: ReasoningPlan = { maxTokens: request.maxTokens ?? claudeAnswer };
  if (effort === undefined) return plain;
  if (effort === "none") return { ...plain, ...switchedOff(request, "reasoning_effort", report) };
  if (abilitiesOf(request.model).thinking === "adaptive") {
    const word = { effort: claudeEffort(request.model, effort) };
    // Thinking and a forced tool exclude each other; effort alone goes with it.
    return forced ? { ...plain, ...word } : { ...adaptive(request, lookUp(budgets, effort)), ...word };
  }
  return withBudget(request, lookUp(budgets, effort), forced, "reasoning_effort", report);
}

function switchedOff(request: ChatRequest, name: string, report: Report): Pick<ReasoningPlan, "thinking"> {
  const { thinking, alwaysThinks, off = "disabled" } = abilitiesOf(request.model);
  if (alwaysThinks) report(name);
  return alwaysThinks || thinking === "none" ? {} : { thinking: { type: off } };
}

/** Thinking within a budget, unless the API would refuse it here: then the request goes without, and says so. */
function withBudget(
  request: ChatRequest,
  budget: number | undefined,
  forced: boolean,
  name: string,
  report: Report,
): ReasoningPlan {
  const maxTokens = request.maxTokens ?? claudeRoom(request.model, budget);
  const possible = abilitiesOf(request.model).thinking === "budget" && maxTokens > leastBudget && !forced;
  if (budget === undefined || !possible || !mayStartThinking(request.messages, formatName)) {
    report(name);
    return { maxTokens: request.maxTokens ?? claudeAnswer };
  }
  // What the client did not limit leaves room for an answer.
  const room = request.maxTokens === undefined ? claudeAnswer : 1;
  const fitting = Math.max(leastBudget, Math.min(budget, maxTokens - room));
  return { maxTokens, thinking: { type: "enabled", budget_tokens: fitting }, implied: true };
}
