import {
  type ChatRequest,
  claudeEffort,
  compact,
  type Fields,
  isRecord,
  isSignedFor,
  lookUp,
  type Message,
  type Reasoning,
} from "../../../core/index.ts";
import { formatName, type Report } from "../fields.ts";
import { alwaysThinks, mostTokens, thinkingOf } from "./model-version.ts";

/** What a request says about thinking, on the wire. */
export interface ReasoningPlan {
  readonly thinking?: Fields;
  readonly effort?: string;
  readonly maxTokens: number;
  /** Thinking goes on although the client sent no switch of this format: settings it excludes have to go. */
  readonly implied?: true;
}

/** The API wants a number; this one is sent when the client named none. */
const defaultMaxTokens = 4096;
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
  const { reasoning, maxTokens, extra } = request;
  const thinksAnyway = alwaysThinks(request.model);
  const plain: ReasoningPlan = { maxTokens: maxTokens ?? roomFor(request.model, thinksAnyway ? usual : undefined) };
  if (!reasoning) return plain;
  // A switch of a kind the chat format does not know either travels beside the canonical fields, and still wins.
  if (extra?.format === "openai-chat" && isRecord(extra.fields.thinking)) {
    if (reasoning.effort !== undefined) report("reasoning_effort");
    return plain;
  }
  if (inOtherWords(request, reasoning)) return adapted(request, reasoning, forced, report);
  if (reasoning.mode) return explicit(request, reasoning, report);
  if (extra?.format === formatName) return { ...plain, ...compact({ effort: reasoning.effort }) };
  if (reasoning.display !== undefined) report("thinking.display");
  if (reasoning.budgetTokens === undefined) return byEffort(request, reasoning.effort, forced, report);
  if (reasoning.effort !== undefined) report("reasoning_effort");
  if (reasoning.budgetTokens === 0) return { ...plain, ...switchedOff(request, "thinking.budget_tokens", report) };
  if (thinkingOf(request.model) === "adaptive") {
    report("thinking.budget_tokens");
    return forced ? plain : adaptive(request, reasoning.budgetTokens);
  }
  return withBudget(request, reasoning.budgetTokens, forced, "thinking.budget_tokens", report);
}

/** Gemini's clients set any budget, or none, for any model; and this API wants one where thinking is switched on. */
const inOtherWords = ({ extra }: ChatRequest, { mode, budgetTokens }: Reasoning): boolean =>
  mode !== undefined &&
  extra?.format !== formatName &&
  (extra?.format === "gemini" || (mode === "enabled" && budgetTokens === undefined));

/** A switch of another API, as this model takes it. */
function adapted(request: ChatRequest, reasoning: Reasoning, forced: boolean, report: Report): ReasoningPlan {
  const { mode, effort, budgetTokens, display } = reasoning;
  const plain: ReasoningPlan = { maxTokens: request.maxTokens ?? defaultMaxTokens };
  if (effort !== undefined) report("reasoning_effort");
  if (mode === "disabled") return { ...plain, ...switchedOff(request, "thinking", report) };
  if (thinkingOf(request.model) !== "adaptive") {
    const plan = withBudget(request, budgetTokens ?? budgets.medium, forced, "thinking", report);
    return plan.thinking ? { ...plan, thinking: compact({ ...plan.thinking, display }) } : plan;
  }
  if (forced) report("thinking");
  else if (budgetTokens !== undefined) report("thinking.budget_tokens");
  return forced ? plain : adaptive(request, budgetTokens ?? usual, display);
}

/** A switch the client set itself is sent as it is. */
function explicit(request: ChatRequest, reasoning: Reasoning, report: Report): ReasoningPlan {
  const { mode, effort, budgetTokens, display } = reasoning;
  const own = request.extra?.format === formatName;
  const fits = mode !== "disabled" && effort !== "none" && thinkingOf(request.model) === "adaptive";
  if (effort !== undefined && !own && !fits) report("reasoning_effort");
  return {
    thinking: compact({ type: mode, budget_tokens: budgetTokens, display }),
    maxTokens: request.maxTokens ?? roomFor(request.model, roomWanted(reasoning)),
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
  maxTokens: request.maxTokens ?? roomFor(request.model, room),
  thinking: compact({ type: "adaptive", display }),
  implied: true,
});

/** A default that would leave no room for an answer beside the thinking helps nobody. */
const roomFor = (model: string, budget: number | undefined) =>
  Math.min(mostTokens(model), defaultMaxTokens + (budget ?? 0));

function byEffort(request: ChatRequest, effort: string | undefined, forced: boolean, report: Report): ReasoningPlan {
  const plain: ReasoningPlan = { maxTokens: request.maxTokens ?? defaultMaxTokens };
  if (effort === undefined) return plain;
  if (effort === "none") return { ...plain, ...switchedOff(request, "reasoning_effort", report) };
  if (thinkingOf(request.model) === "adaptive") {
    const word = { effort: claudeEffort(request.model, effort) };
    // Thinking and a forced tool exclude each other; effort alone goes with it.
    return forced ? { ...plain, ...word } : { ...adaptive(request, lookUp(budgets, effort)), ...word };
  }
  return withBudget(request, lookUp(budgets, effort), forced, "reasoning_effort", report);
}

function switchedOff(request: ChatRequest, name: string, report: Report): Pick<ReasoningPlan, "thinking"> {
  if (alwaysThinks(request.model)) {
    report(name);
    return {};
  }
  return thinkingOf(request.model) === "none" ? {} : { thinking: { type: "disabled" } };
}

/** Thinking within a budget, unless the API would refuse it here: then the request goes without, and says so. */
function withBudget(
  request: ChatRequest,
  budget: number | undefined,
  forced: boolean,
  name: string,
  report: Report,
): ReasoningPlan {
  const maxTokens = request.maxTokens ?? roomFor(request.model, budget);
  const possible = thinkingOf(request.model) === "budget" && maxTokens > leastBudget && !forced;
  if (budget === undefined || !possible || !mayStartThinking(request.messages)) {
    report(name);
    return { maxTokens: request.maxTokens ?? defaultMaxTokens };
  }
  // What the client did not limit leaves room for an answer.
  const room = request.maxTokens === undefined ? defaultMaxTokens : 1;
  const fitting = Math.max(leastBudget, Math.min(budget, maxTokens - room));
  return { maxTokens, thinking: { type: "enabled", budget_tokens: fitting }, implied: true };
}

/**
 * With a budget, an answer begun in the conversation must itself begin with thinking: an assistant turn whose tool
 * results are being delivered needs its thinking block, and a prefilled answer has none.
 */
function mayStartThinking(messages: readonly Message[]): boolean {
  const turns = messages.filter(({ role }) => role !== "system" && role !== "developer");
  let at = turns.length - 1;
  if (turns[at]?.role === "user" && turns[at - 1]?.role === "tool") at--;
  if (turns[at]?.role === "user") return true;
  const said = turns.slice(0, at + 1).findLast((message) => message.role === "assistant");
  if (turns[at]?.role !== "tool" || said?.role !== "assistant") return false;
  const first = said.content.find((part) => part.type !== "thinking" || isSignedFor(part, formatName));
  return first?.type === "thinking" || first?.type === "redacted-thinking";
}
