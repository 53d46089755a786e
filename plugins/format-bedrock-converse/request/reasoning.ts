import {
  type ChatRequest,
  claudeAbilities,
  claudeEffort,
  compact,
  type Fields,
  isRecord,
  isSignedFor,
  lookUp,
  type Reasoning,
} from "../../../core/index.ts";
import { type Report, signer } from "../fields.ts";
import { familyOf } from "../model-family.ts";

const modes = ["enabled", "disabled", "adaptive"] as const;
const leastBudget = 1024;

/** Efforts as parts of the tokens that may be generated, for a Claude that knows budgets only (section 9.3). */
const ratios: Readonly<Record<string, number>> = {
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.8,
  max: 0.8,
};

/** What the fields of a model say about thinking; undefined when they say nothing that other formats know. */
export function decodeReasoning(fields: Readonly<Fields>): Reasoning | undefined {
  const { thinking, output_config: output, reasoning_effort: word } = fields;
  const said = isRecord(thinking) ? thinking : {};
  const mode = modes.find((name) => name === said.type);
  const effort = isRecord(output) && typeof output.effort === "string" ? output.effort : word;
  const reasoning = compact({
    mode,
    effort: typeof effort === "string" ? effort : undefined,
    budgetTokens: mode && typeof said.budget_tokens === "number" ? said.budget_tokens : undefined,
    display: mode && typeof said.display === "string" ? said.display : undefined,
  });
  return Object.keys(reasoning).length > 0 ? reasoning : undefined;
}

/** The fields that are read as reasoning, as they were written. */
export const writtenReasoning = ({ thinking, output_config, reasoning_effort }: Readonly<Fields>): Fields =>
  compact({ thinking, output_config, reasoning_effort });

export interface ReasoningPlan {
  /** For `additionalModelRequestFields`. */
  readonly fields: Fields;
  /** Thinking goes on although nobody set its switch: settings it excludes have to go. */
  readonly implied?: true;
}

const thinkingOf = (model: string) => claudeAbilities(model)?.thinking ?? "none";

const nothing: ReasoningPlan = { fields: {} };

export function planReasoning(request: ChatRequest, report: Report): ReasoningPlan {
  const { reasoning, model } = request;
  if (!reasoning) return nothing;
  const { mode, effort, budgetTokens, display } = reasoning;
  const family = familyOf(model);
  if (family === "openai" && mode === undefined && budgetTokens === undefined && effort !== undefined)
    return { fields: { reasoning_effort: effort } };
  if (family !== "anthropic") {
    if (effort !== undefined) report("reasoning_effort");
    if (mode !== undefined || budgetTokens !== undefined) report("thinking");
    return nothing;
  }
  if (inOtherWords(request, reasoning)) return adapted(request, reasoning, report);
  if (mode !== undefined) {
    const fits = mode !== "disabled" && effort !== "none" && thinkingOf(model) === "adaptive";
    if (effort !== undefined && !fits) report("reasoning_effort");
    return {
      fields: {
        thinking: compact({ type: mode, budget_tokens: budgetTokens, display }),
        ...(effort !== undefined && fits && { output_config: { effort: claudeEffort(model, effort) } }),
      },
    };
  }
  if (display !== undefined) report("thinking.display");
  if (budgetTokens === undefined) return byEffort(request, effort, report);
  if (effort !== undefined) report("reasoning_effort");
  if (budgetTokens === 0) return switchedOff(model, "thinking.budget_tokens", report);
  return withBudget(request, budgetTokens, "thinking.budget_tokens", report);
}

/** Gemini's clients set any budget, or none, for any model; and a Claude wants one where thinking is switched on. */
const inOtherWords = ({ extra }: ChatRequest, { mode, budgetTokens }: Reasoning): boolean =>
  mode !== undefined && (extra?.format === "gemini" || (mode === "enabled" && budgetTokens === undefined));

/** A switch of another API, as this model takes it. */
function adapted(request: ChatRequest, reasoning: Reasoning, report: Report): ReasoningPlan {
  const { mode, effort, budgetTokens, display } = reasoning;
  const { model, maxTokens = 0 } = request;
  if (effort !== undefined) report("reasoning_effort");
  if (mode === "disabled") return switchedOff(model, "thinking", report);
  if (thinkingOf(model) !== "adaptive") {
    const plan = withBudget(request, budgetTokens ?? Math.floor(maxTokens / 2), "thinking", report);
    return isRecord(plan.fields.thinking)
      ? { ...plan, fields: { thinking: compact({ ...plan.fields.thinking, display }) } }
      : plan;
  }
  if (!mayStart(request)) {
    report("thinking");
    return nothing;
  }
  if (budgetTokens !== undefined) report("thinking.budget_tokens");
  return { fields: { thinking: compact({ type: "adaptive", display }) }, implied: true };
}

function byEffort(request: ChatRequest, effort: string | undefined, report: Report): ReasoningPlan {
  if (effort === undefined) return nothing;
  if (effort === "none") return switchedOff(request.model, "reasoning_effort", report);
  if (thinkingOf(request.model) === "adaptive" && mayStart(request))
    return {
      fields: { thinking: { type: "adaptive" }, output_config: { effort: claudeEffort(request.model, effort) } },
      implied: true,
    };
  const ratio = lookUp(ratios, effort);
  return withBudget(request, Math.floor((ratio ?? 0) * (request.maxTokens ?? 0)), "reasoning_effort", report);
}

function switchedOff(model: string, name: string, report: Report): ReasoningPlan {
  if (claudeAbilities(model)?.alwaysThinks) {
    report(name);
    return nothing;
  }
  return thinkingOf(model) === "none" ? nothing : { fields: { thinking: { type: "disabled" } } };
}

/** Thinking within a budget, unless the vendor would refuse it here: then the request goes without, and says so. */
function withBudget(request: ChatRequest, budget: number, name: string, report: Report): ReasoningPlan {
  const { maxTokens = 0, model } = request;
  if (thinkingOf(model) !== "budget" || maxTokens <= leastBudget || budget <= 0 || !mayStart(request)) {
    report(name);
    return nothing;
  }
  const fitting = Math.max(leastBudget, Math.min(budget, maxTokens - 1));
  return { fields: { thinking: { type: "enabled", budget_tokens: fitting } }, implied: true };
}

/**
 * An answer begun in the conversation must itself have begun with thinking, and a tool that is forced leaves no room
 * for any.
 */
function mayStart({ messages, toolChoice }: ChatRequest): boolean {
  if (toolChoice?.type === "required" || toolChoice?.type === "tool") return false;
  const turns = messages.filter(({ role }) => role !== "system" && role !== "developer");
  const last = turns.at(-1);
  if (last?.role === "user" && turns.at(-2)?.role !== "tool") return true;
  const said = turns.findLast((message) => message.role === "assistant");
  // Thinking without a signature is not sent.
  const first = said?.content.find((part) => part.type !== "thinking" || isSignedFor(part, signer));
  return first?.type === "thinking" || first?.type === "redacted-thinking";
}
