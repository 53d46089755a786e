import {
  type ChatRequest,
  type ClaudeAbilities,
  claudeAbilities,
  claudeAnswer,
  claudeEffort,
  claudeRoom,
  compact,
  type Fields,
  isForcing,
  isRecord,
  lookUp,
  mayStartThinking,
  type Reasoning,
  shownThinking,
  withoutUsualDisplay,
} from "../../../core/index.ts";
import { isOwn, type Report, signer } from "../fields.ts";
import { familyOf } from "../model-family.ts";
import { effortFields } from "./efforts.ts";

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
  /** Where the client sets no limit: the vendor's own, 4096, leaves little room for an answer beside the thinking, or none. */
  readonly maxTokens?: number;
}

/** Of other makers nothing is known that could be said to them. */
const others: ClaudeAbilities = { thinking: "none", sampling: true };
const abilitiesOf = (model: string): ClaudeAbilities => claudeAbilities(model) ?? others;

const nothing: ReasoningPlan = { fields: {} };

export function planReasoning(asked: ChatRequest, report: Report): ReasoningPlan {
  const request = isOwn(asked.extra) || familyOf(asked.model) !== "anthropic" ? asked : withoutUsualDisplay(asked);
  const { reasoning, model, maxTokens } = request;
  if (!reasoning) return nothing;
  if (maxTokens !== undefined || isOwn(request.extra) || familyOf(model) !== "anthropic")
    return shown(planned(request, reasoning, report), request);
  const room = claudeRoom(model, roomWanted(reasoning));
  const plan = shown(planned({ ...request, maxTokens: room }, reasoning, report), request);
  const { thinking } = plan.fields;
  return isRecord(thinking) && thinking.type !== "disabled" ? { ...plan, maxTokens: room } : plan;
}

function shown(plan: ReasoningPlan, request: ChatRequest): ReasoningPlan {
  const before = isRecord(plan.fields.thinking) ? plan.fields.thinking : undefined;
  const thinking = isOwn(request.extra) ? before : shownThinking(before, request, isForced(request));
  return thinking === before ? plan : { ...plan, fields: { ...plan.fields, thinking }, implied: true };
}

/** Models that think as they see fit do so as for a high effort where none is named. */
const usual = 16_384;

/** So much is thought, by the client's own word, or as the part that an effort has of the whole. */
function roomWanted({ effort, budgetTokens }: Reasoning): number {
  const ratio = budgetTokens === undefined && effort !== undefined ? lookUp(ratios, effort) : undefined;
  return budgetTokens ?? (ratio === undefined ? usual : Math.round((claudeAnswer * ratio) / (1 - ratio)));
}

function planned(request: ChatRequest, reasoning: Reasoning, report: Report): ReasoningPlan {
  const { model } = request;
  const { mode, effort, budgetTokens, display } = reasoning;
  const family = familyOf(model);
  if (family !== "anthropic") {
    const isEffort = mode === undefined && budgetTokens === undefined && effort !== undefined;
    const fields = isEffort ? effortFields(effort, request, report) : undefined;
    if (fields) return { fields };
    if (effort !== undefined) report("reasoning_effort");
    if (mode !== undefined || budgetTokens !== undefined) report("thinking");
    return nothing;
  }
  if (mode !== undefined && !isTaken(request, reasoning)) return adapted(request, reasoning, report);
  if (mode !== undefined) {
    const fits = mode !== "disabled" && effort !== "none" && abilitiesOf(model).thinking === "adaptive";
    if (effort !== undefined && !fits) report("reasoning_effort");
    return {
      fields: {
        thinking: compact({ type: mode, budget_tokens: budgetTokens, display }),
        ...(effort !== undefined && fits && { output_config: { effort: claudeEffort(model, effort) } }),
      },
      ...(mode !== "disabled" && { implied: true as const }),
    };
  }
  if (display !== undefined && display !== "summarized") report("thinking.display");
  if (budgetTokens === undefined) return byEffort(request, effort, report);
  if (effort !== undefined) report("reasoning_effort");
  if (budgetTokens === 0) return switchedOff(model, "thinking.budget_tokens", report);
  return withBudget(request, budgetTokens, "thinking.budget_tokens", report);
}

/** Whether the model takes a switch as the client wrote it: Gemini's clients set any budget, or none, for any model. */
function isTaken(request: ChatRequest, { mode, budgetTokens }: Reasoning): boolean {
  const { thinking, alwaysThinks, off, refusesBudgets } = abilitiesOf(request.model);
  if (mode === "disabled") return thinking !== "none" && !alwaysThinks && off === undefined;
  if (isForced(request)) return false;
  if (mode === "adaptive") return thinking === "adaptive";
  const isGemini = request.extra?.format === "gemini";
  return budgetTokens !== undefined && thinking !== "none" && !refusesBudgets && !isGemini && mayStart(request);
}

/** A switch of another API, as this model takes it. */
function adapted(request: ChatRequest, reasoning: Reasoning, report: Report): ReasoningPlan {
  const { mode, effort, budgetTokens, display } = reasoning;
  const { model, maxTokens = 0 } = request;
  if (effort !== undefined) report("reasoning_effort");
  if (mode === "disabled") return switchedOff(model, "thinking", report);
  if (abilitiesOf(model).thinking !== "adaptive") {
    const plan = withBudget(request, budgetTokens ?? Math.floor(maxTokens / 2), "thinking", report);
    return isRecord(plan.fields.thinking)
      ? { ...plan, fields: { thinking: compact({ ...plan.fields.thinking, display }) } }
      : plan;
  }
  if (isForced(request)) {
    report("thinking");
    return nothing;
  }
  if (budgetTokens !== undefined) report("thinking.budget_tokens");
  return { fields: { thinking: compact({ type: "adaptive", display }) }, implied: true };
}

function byEffort(request: ChatRequest, effort: string | undefined, report: Report): ReasoningPlan {
  if (effort === undefined) return nothing;
  if (effort === "none") return switchedOff(request.model, "reasoning_effort", report);
  if (abilitiesOf(request.model).thinking === "adaptive" && !isForced(request))
    return {
      fields: { thinking: { type: "adaptive" }, output_config: { effort: claudeEffort(request.model, effort) } },
      implied: true,
    };
  const ratio = lookUp(ratios, effort);
  return withBudget(request, Math.floor((ratio ?? 0) * (request.maxTokens ?? 0)), "reasoning_effort", report);
}

function switchedOff(model: string, name: string, report: Report): ReasoningPlan {
  const { thinking, alwaysThinks, off = "disabled" } = abilitiesOf(model);
  if (alwaysThinks) report(name);
  return alwaysThinks || thinking === "none" ? nothing : { fields: { thinking: { type: off } } };
}

/** Thinking within a budget, unless the vendor would refuse it here: then the request goes without, and says so. */
function withBudget(request: ChatRequest, budget: number, name: string, report: Report): ReasoningPlan {
  const { maxTokens = 0, model } = request;
  if (abilitiesOf(model).thinking !== "budget" || maxTokens <= leastBudget || budget <= 0 || !mayStart(request)) {
    report(name);
    return nothing;
  }
  const fitting = Math.max(leastBudget, Math.min(budget, maxTokens - 1));
  return { fields: { thinking: { type: "enabled", budget_tokens: fitting } }, implied: true };
}

/** A tool that is forced leaves no room for thinking; models that refuse to be made to call one are not. */
const isForced = ({ toolChoice, model }: ChatRequest): boolean =>
  isForcing(toolChoice) && !abilitiesOf(model).refusesForcedTools;

const mayStart = (request: ChatRequest): boolean => !isForced(request) && mayStartThinking(request.messages, signer);

/** Whether what is begun by others keeps a Claude from thinking as its client has it. */
export const isKeptFromThinking = ({ model, messages, reasoning }: ChatRequest): boolean =>
  reasoning?.mode === "enabled" && claudeAbilities(model) !== undefined && !mayStartThinking(messages, signer);

/** Whether a Claude does not think, as far as the fields of the model say, although its client may have it think. */
export function isWithoutThinking(request: ChatRequest, { thinking }: Readonly<Fields>): boolean {
  const abilities = claudeAbilities(request.model);
  if (!abilities || (isOwn(request.extra) && !isKeptFromThinking(request))) return false;
  return isRecord(thinking) ? thinking.type === "disabled" : !abilities.thinksUnasked;
}
