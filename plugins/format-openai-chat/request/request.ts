import {
  type ChatRequest,
  checked,
  compact,
  displayApart,
  type Extra,
  type Fields,
  fieldsBeyond,
  isRecord,
  lookUp,
  type Reasoning,
  reportForeign,
  reportOnce,
  saidStops,
  shortUser,
  summaryField,
  type ToolChoice,
  thinkingSwitchOf,
  withAllowedTools,
} from "../../../core/index.ts";
import { extraOf, fieldsOf, formatName, isOwn, spellingOf, withKept, withSaid } from "../extra.ts";
import { thinkingSwitch, wireRequest } from "../wire.ts";
import { decodeMessages } from "./decode-messages.ts";
import { encodeMessages } from "./encode-messages.ts";
import { decodeFunctions, encodeFunctions } from "./functions.ts";
import {
  decodeResponseFormat,
  decodeTool,
  decodeToolChoice,
  encodeResponseFormat,
  encodeToolChoice,
  encodeTools,
  hasBareSchema,
} from "./tools.ts";
import type { Vendor } from "./vendor.ts";

type WireRequest = ReturnType<typeof wireRequest.parse>;

export function decodeRequest(body: unknown): ChatRequest {
  const wire = checked(wireRequest, body, "");
  const unread = fieldsBeyond(wire, wireRequest);
  const maxTokens = wire.max_completion_tokens ?? wire.max_tokens;
  const usesMaxTokens = typeof wire.max_tokens === "number" && maxTokens === wire.max_tokens;
  const spelledMaxTokens = usesMaxTokens && typeof wire.max_completion_tokens !== "number";
  if (typeof wire.max_tokens === "number" && !spelledMaxTokens) unread.max_tokens = wire.max_tokens;
  const messages = decodeMessages(wire.messages);
  const { responseFormat, toolChoice, bare } = decodeFormatAndChoice(wire, unread);
  const old = decodeFunctions(wire, unread);
  const { reasoning, switched } = decodeReasoning(wire, unread);
  const includeUsage = decodeStreamOptions(wire.stream_options, unread);
  // Last: what the others could not read is in it.
  const extra = extraOf(unread, {}, spelledMaxTokens ? "max_tokens" : undefined);
  return compact({
    model: wire.model ?? "",
    messages,
    stream: wire.stream === true,
    responseFormat,
    tools: old?.tools ?? wire.tools?.map((tool, at) => decodeTool(tool, `tools[${at}]`)),
    toolChoice: old?.toolChoice ?? toolChoice,
    includeUsage,
    maxTokens,
    temperature: wire.temperature,
    topP: wire.top_p,
    topK: wire.top_k,
    n: wire.n,
    stop: typeof wire.stop === "string" ? [wire.stop] : wire.stop,
    presencePenalty: wire.presence_penalty,
    frequencyPenalty: wire.frequency_penalty,
    logitBias: wire.logit_bias,
    logprobs: wire.logprobs,
    topLogprobs: wire.top_logprobs,
    seed: wire.seed,
    parallelToolCalls: wire.parallel_tool_calls,
    oneCall: old?.oneCall,
    user: wire.user,
    serviceTier: wire.service_tier,
    reasoning,
    extra: withSaid(
      switched || bare ? withKept(extra, compact({ thinking: switched, response_format: bare })) : extra,
      saidIn(wire, switched !== undefined || reasoning?.mode !== undefined, toolChoice),
    ).extra,
  });
}

/** What a client says to its vendor in this format, though it is not one of all who speak it: it goes there as it was said. */
const saidIn = (wire: WireRequest, switches: boolean, toolChoice: ToolChoice | undefined): string[] => [
  ...(typeof wire.top_k === "number" ? ["top_k"] : []),
  ...(switches ? ["thinking"] : []),
  ...(wire.service_tier === commonTier ? ["service_tier"] : []),
  ...(toolChoice?.type === "among" ? ["tool_choice"] : []),
];

/** What cannot be read exactly is left in `unread`, whole, and comes back as it was. */
function decodeFormatAndChoice(wire: WireRequest, unread: Fields) {
  const { response_format: format, tool_choice: choice } = wire;
  const responseFormat = format ? decodeResponseFormat(format) : undefined;
  if (format && !responseFormat) unread.response_format = format;
  const toolChoice = choice === undefined || choice === null ? undefined : decodeToolChoice(choice);
  if (choice !== undefined && choice !== null && !toolChoice) unread.tool_choice = choice;
  return { responseFormat, toolChoice, ...(format && hasBareSchema(format) && { bare: format }) };
}

/** Whether usage is to be in the stream; undefined where nothing is said. */
function decodeStreamOptions(options: WireRequest["stream_options"], unread: Fields) {
  if (!options) return undefined;
  const { include_usage: includeUsage, ...others } = options;
  if (Object.keys(others).length > 0) unread.stream_options = others;
  return includeUsage;
}

const modes: readonly string[] = ["enabled", "disabled", "adaptive"] satisfies Reasoning["mode"][];

/**
 * What vendors of this format know in `thinking` besides: whether the model is given what it thought before, as all others are,
 * and how hard it thinks (Moonshot: `keep`, `effort`; docs.z.ai, guides/capabilities/thinking-mode: `clear_thinking`).
 */
const ofVendors: ReadonlySet<string> = new Set(["keep", "clear_thinking", "effort"]);

/** How the model is to think, and the switch that says so where vendors of this format only know all of it. */
function decodeReasoning(wire: WireRequest, unread: Fields): { reasoning?: Reasoning; switched?: Fields } {
  const effort = compact({ effort: wire.reasoning_effort });
  const plain = "effort" in effort ? { reasoning: effort } : {};
  if (!wire.thinking) return plain;
  const { type, budget_tokens: budgetTokens, display, ...others } = checked(thinkingSwitch, wire.thinking, "thinking");
  const names = Object.keys(others);
  const { effort: word = "" } = others;
  const isTwice = word !== "" && wire.reasoning_effort !== undefined;
  if (!modes.includes(type) || typeof word !== "string" || isTwice || !names.every((name) => ofVendors.has(name))) {
    unread.thinking = wire.thinking;
    return plain;
  }
  const switched = names.length > 0 ? { switched: wire.thinking } : {};
  if (type === "enabled" && word !== "")
    return { reasoning: { effort: word, switchedOn: true, ...compact({ budgetTokens, display }) }, ...switched };
  const mode = type as NonNullable<Reasoning["mode"]>;
  const hard = type === "adaptive" && word !== "" ? { effort: word } : effort;
  return { reasoning: { mode, ...hard, ...compact({ budgetTokens, display }) }, ...switched };
}

/** Names `encodeRequest` may report. Those of other formats' own fields come on top. */
export const drops = [
  "temperature",
  "top_p",
  "logprobs",
  "top_logprobs",
  "top_k",
  "thinking",
  "thinking.display",
  "reasoning_effort",
  "service_tier",
  "user",
  "tool_choice",
  "parallel_tool_calls",
  "messages.cache_control",
  "messages.prompt_cache_breakpoint",
  "messages.citations",
  "messages.thinking",
  "messages.thought_signature",
  "messages.image",
  "messages.audio",
  "messages.document",
  "messages.video",
  "messages.tool_result.is_error",
  "tools.cache_control",
  "tools.parameters",
  "tools.strict",
] as const;

export function encodeRequest(request: ChatRequest, report: (dropped: string) => void, vendor?: Vendor): Fields {
  const once = reportOnce(report);
  const { serviceTier, responseFormat } = request;
  const own = ownIn(request, once);
  const { taken, left } = sharedFields(request.extra, vendor?.exact === true);
  reportForeign(formatName, left, "", once);
  const inner = taken ?? fieldsOf(request.extra).inner;
  const wire: Fields = request.model === "" ? {} : { model: request.model };
  wire.messages = encodeMessages(request.messages, once, vendor);
  if (request.stream) wire.stream = true;
  return Object.assign(
    wire,
    compact({
      [spellingOf(request.extra) ?? "max_completion_tokens"]: request.maxTokens,
      temperature: request.temperature,
      top_p: request.topP,
      n: request.n,
      stop: saidStops(request.stop),
      presence_penalty: request.presencePenalty,
      frequency_penalty: request.frequencyPenalty,
      logit_bias: request.logitBias,
      logprobs: request.logprobs,
      top_logprobs: request.topLogprobs,
      seed: request.seed,
      response_format: responseFormat && encodeResponseFormat(responseFormat),
      ...encodeToolUse(request, once, vendor?.exact === true),
      user: shortUser(request.user, once),
      reasoning_effort: effortBeside(own, request, once),
      service_tier: serviceTier === commonTier ? own.service_tier : serviceTier,
      thinking: own.thinking,
      top_k: own.top_k,
    }),
    inner,
    streamOptions(request.includeUsage, inner.stream_options),
  );
}

/** Fields the vendor's two APIs have in common, by their names in the other one. */
const shared: Readonly<Record<string, string>> = {
  metadata: "metadata",
  "text.verbosity": "verbosity",
  safety_identifier: "safety_identifier",
  prompt_cache_key: "prompt_cache_key",
  prompt_cache_retention: "prompt_cache_retention",
  prompt_cache_options: "prompt_cache_options",
  moderation: "moderation",
};

/** Of these, what others who speak this format do not know: many would take it, and do nothing of it. */
const namesakes: ReadonlySet<string> = new Set(["moderation"]);

/** Of a request of the Responses API: what this API knows as well, and the rest. */
function sharedFields(extra: Extra | undefined, exact: boolean): { taken?: Fields; left: Extra | undefined } {
  if (extra?.format !== "openai-responses") return { left: extra };
  const taken: Fields = {};
  const fields: Fields = {};
  for (const [name, value] of Object.entries(extra.fields)) {
    const own = lookUp(shared, name);
    if (own === undefined || (!exact && namesakes.has(own))) fields[name] = value;
    else taken[own] = value;
  }
  return { taken, left: { ...extra, fields } };
}

/**
 * Where all tools were dropped, what is said about using them goes too: vendors reject it without tools. Most who speak this
 * format do not know `allowed_tools`: it is said to those whose client said it so.
 */
function encodeToolUse(asked: ChatRequest, report: (dropped: string) => void, exact: boolean): Fields {
  const functions = encodeFunctions(asked);
  if (functions) return functions;
  const saysAllowed = isOwn(asked.extra) && asked.extra.said?.includes("tool_choice");
  const request = saysAllowed ? asked : withAllowedTools(asked, report);
  const { toolChoice, parallelToolCalls } = request;
  const tools = encodeTools(request.tools ?? [], report, exact);
  if (tools.length === 0 && request.tools && request.tools.length > 0) {
    if (toolChoice) report("tool_choice");
    if (parallelToolCalls !== undefined) report("parallel_tool_calls");
    return {};
  }
  return {
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: toolChoice && encodeToolChoice(toolChoice, tools),
    parallel_tool_calls: parallelToolCalls,
  };
}

/** Anthropic's word for the tier everybody has: an error to others. */
const commonTier = "standard_only";

/**
 * What the client has said in words of this format. Others mean the like of it, but who is asked need not know it: that is
 * lost. `thinking` of the Responses API is the one of this format (inference-api.md section 11.1).
 */
function ownIn({ extra, topK, reasoning, serviceTier }: ChatRequest, report: (dropped: string) => void): Fields {
  // Clients of the Responses API know it by the name they have for it.
  if (displayApart(reasoning) !== undefined && extra?.fields[summaryField] === undefined) report("thinking.display");
  const said = isOwn(extra) ? (extra.said ?? []) : extra?.format === "openai-responses" ? ["thinking"] : [];
  const meant = compact({
    top_k: topK,
    thinking: thinkingSwitchOf(reasoning),
    service_tier: serviceTier === commonTier ? serviceTier : undefined,
  });
  const own: Fields = {};
  for (const name in meant)
    if (said.includes(name)) own[name] = meant[name as keyof typeof meant];
    else report(name);
  return own;
}

/** An explicit `thinking` wins (section 7.5): of other formats no effort stands beside one that is said, or that means none. */
function effortBeside(
  { thinking }: Fields,
  { extra, reasoning: { effort, mode } = {} }: ChatRequest,
  report: (dropped: string) => void,
): string | undefined {
  if (isOwn(extra) && isRecord(extra.kept?.thinking) && extra.kept.thinking.effort === effort) return undefined;
  if (effort === undefined || isOwn(extra) || (!thinking && mode !== "disabled")) return effort;
  report("reasoning_effort");
  return undefined;
}

function streamOptions(includeUsage: boolean | undefined, others: unknown): Fields {
  if (includeUsage === undefined) return {};
  return { stream_options: { include_usage: includeUsage, ...(others as Fields | undefined) } };
}
